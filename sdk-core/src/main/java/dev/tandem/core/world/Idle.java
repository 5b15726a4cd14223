package dev.tandem.core.world;

import java.util.concurrent.locks.LockSupport;

/**
 * What a waiting thread does between two looks at the thing it waits for.
 *
 * <p>A wait starts with turn 0 and counts up; an implementation gets out of the way more and more the longer the wait
 * lasts, so that more ranks than processors make progress. Implementations are stateless or confined to one thread.
 */
@FunctionalInterface
public interface Idle {

    /** Turns in which {@link #spinYieldSleep()} only spins. */
    int SPINS = 64;

    /** Turns after the spinning in which {@link #spinYieldSleep()} gives its processor away. */
    int YIELDS = 100;

    /**
     * Lets other threads work for a moment.
     *
     * @param turn how many times this wait has looked in vain, from 0
     */
    void idle(int turn);

    /**
     * The waiting of host code: a brief spin, then yields, then sleeps that grow to a quarter of a millisecond.
     *
     * @return a stateless strategy, shared by all threads
     */
    static Idle spinYieldSleep() {
        return Idle::spinYieldSleep;
    }

    private static void spinYieldSleep(int turn) {
        if (turn < SPINS) {
            Thread.onSpinWait();
        } else if (turn < SPINS + YIELDS) {
            Thread.yield();
        } else {
            long sleepNs = Math.min(250_000L, 10_000L << Math.min(5, (turn - SPINS - YIELDS) / 16));
            LockSupport.parkNanos(sleepNs);
        }
    }
}
