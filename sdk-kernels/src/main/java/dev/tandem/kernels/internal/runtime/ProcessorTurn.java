package dev.tandem.kernels.internal.runtime;

import dev.tandem.core.device.ProcessorPermits;
import dev.tandem.core.world.Idle;
import java.util.concurrent.locks.LockSupport;

/**
 * One part's turn on the processors of its device: it computes with a permit and gives it back while it waits, so that the
 * logical cores may outnumber the processors and whoever can work does.
 *
 * <p>As an {@link Idle} it is what a waiting part does: spin briefly, then give the permit back, yield a little, and sleep
 * longer and longer. Whoever waited calls {@link #take()} before it computes again. Confined to the part's thread.
 */
final class ProcessorTurn implements Idle {

    private static final int SPINS = 256;
    private static final int SPINS_IF_OTHERS_WANT_TO_WORK = 16;
    private static final int YIELDS = 8;
    private static final long SHORTEST_SLEEP_NS = 20_000;
    private static final int DOUBLINGS = 5;
    private static final int SLEEPS_A_DOUBLING = 16;

    private final ProcessorPermits permits;
    private boolean held;
    private int gaveAt;

    /** Makes the turns of one part on the given permits; it holds none yet. */
    ProcessorTurn(ProcessorPermits permits) {
        this.permits = permits;
    }

    /**
     * Returns with a permit.
     *
     * @throws dev.tandem.core.JobAbortedException if the job comes down; no permit is held then
     */
    void take() {
        if (!held) {
            permits.acquire();
            held = true;
        }
    }

    /** Gives the permit back, if held. */
    void give() {
        if (held) {
            held = false;
            permits.release();
        }
    }

    @Override
    public void idle(int turn) {
        if (held && turn < (permits.contended() ? SPINS_IF_OTHERS_WANT_TO_WORK : SPINS)) {
            Thread.onSpinWait();
            return;
        }
        if (held) {
            give();
            gaveAt = turn;
        }
        int sleeps = turn - gaveAt - YIELDS;
        if (sleeps < 0) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(SHORTEST_SLEEP_NS << Math.min(DOUBLINGS, sleeps / SLEEPS_A_DOUBLING));
        }
    }
}
