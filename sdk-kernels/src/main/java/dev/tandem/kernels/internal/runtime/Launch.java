package dev.tandem.kernels.internal.runtime;

import dev.tandem.core.TandemException;
import dev.tandem.core.device.Stream;
import dev.tandem.kernels.tile.Core;
import dev.tandem.kernels.tile.Grid;
import dev.tandem.kernels.tile.KernelFunction;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * One launch while it runs: what its parts run, how many still do, and the first failure.
 *
 * @param <A> what the kernel is given
 */
final class Launch<A> {

    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int GRACE_LOOKS = 10;

    private final String name;
    private final Grid grid;
    private final KernelFunction<A> kernel;
    private final A args;
    private final PartsBarrier barrier;
    private final AtomicInteger running;
    private final AtomicReference<TandemException> failure = new AtomicReference<>();
    private final Thread coordinator = Thread.currentThread();

    /** Makes a launch that the calling thread will wait for. */
    Launch(String name, Grid grid, KernelFunction<A> kernel, A args, PartsBarrier barrier) {
        this.name = name;
        this.grid = grid;
        this.kernel = kernel;
        this.args = args;
        this.barrier = barrier;
        this.running = new AtomicInteger(grid.parts());
    }

    String name() {
        return name;
    }

    Grid grid() {
        return grid;
    }

    PartsBarrier barrier() {
        return barrier;
    }

    /** Runs the kernel itself, on the calling thread. */
    void run(Core core) {
        kernel.run(core, args);
    }

    /** Notes a failure; the first one counts. Says whether this was it. */
    boolean fail(TandemException cause) {
        return failure.compareAndSet(null, cause);
    }

    /** Gives the first failure, or null. */
    TandemException failure() {
        return failure.get();
    }

    /** Fails with the first failure of any part. */
    void checkRunning() {
        TandemException cause = failure.get();
        if (cause != null) {
            throw cause;
        }
    }

    /** Notes that one part has ended, well or not. */
    void partEnded() {
        if (running.decrementAndGet() == 0) {
            LockSupport.unpark(coordinator);
        }
    }

    /**
     * Waits for all parts to end. Each of them fails its own waits in time. The host's wait for the stream is told that the
     * launch gets on as long as any part computes tiles or begins to wait, and a little longer, so that of two waits that
     * last too long the kernel's is the one that is reported.
     *
     * @throws InterruptedException if the stream is closed while the job comes down; parts may still run then
     */
    void awaitEnd(Stream stream, PartThread[] parts) throws InterruptedException {
        long seen = -1;
        int idleLooks = 0;
        while (running.get() > 0) {
            LockSupport.parkNanos(this, LOOK_NS);
            if (Thread.interrupted()) {
                throw new InterruptedException("closed while running: kernel=" + name + ", parts=" + running.get());
            }
            long done = 0;
            for (PartThread part : parts) {
                done += part.operations();
            }
            idleLooks = done == seen ? idleLooks + 1 : 0;
            seen = done;
            if (idleLooks <= GRACE_LOOKS) {
                stream.advance();
            }
        }
    }
}
