package dev.tandem.kernels.internal.runtime;

import dev.tandem.core.Check;
import dev.tandem.core.TandemException;
import dev.tandem.core.TimedOutException;
import dev.tandem.core.UsageException;
import dev.tandem.core.device.Device;
import dev.tandem.core.device.Event;
import dev.tandem.core.device.Stream;
import dev.tandem.core.world.Deadline;
import dev.tandem.core.world.World;
import dev.tandem.kernels.matrix.MatrixEngine;
import dev.tandem.kernels.tile.Grid;
import dev.tandem.kernels.tile.KernelFunction;
import dev.tandem.kernels.tile.KernelRuntime;
import dev.tandem.kernels.tile.Part;
import dev.tandem.shmem.SymmetricHeap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs kernels on the host: one thread for each (program, part), kept from launch to launch, on the processors that the
 * device lends.
 *
 * <p>Thread-safe. The stream's thread takes the device for one launch after the other; parts run on their own threads.
 */
public final class HostKernelRuntime implements KernelRuntime, AutoCloseable {

    /** What a part may hold in tiles. Memory is taken as kernels ask for it. */
    private static final long ON_CHIP_BYTES = 256L << 20;

    private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Device device;
    private final World world;
    private final SymmetricHeap heap;
    private final MatrixEngine engine;
    private final ReentrantLock oneAtATime = new ReentrantLock(true);
    private final List<PartThread> cubes = new CopyOnWriteArrayList<>();
    private final List<PartThread> vectors = new CopyOnWriteArrayList<>();
    private Grid lastGrid;
    private PartThread[] lastParts = new PartThread[0];
    private final AtomicInteger pending = new AtomicInteger();
    private volatile boolean closed;

    /**
     * Makes the runtime of one rank; threads are started by the first launch that needs them.
     *
     * @param device where kernels run
     * @param heap the rank's symmetric heap
     * @param engine what computes products
     */
    public HostKernelRuntime(Device device, SymmetricHeap heap, MatrixEngine engine) {
        this.device = Check.notNull(device, "device");
        this.world = device.world();
        this.heap = Check.notNull(heap, "heap");
        this.engine = Check.notNull(engine, "engine");
    }

    @Override
    public <A> Event launch(Stream stream, String name, Grid grid, KernelFunction<A> kernel, A args) {
        Check.notNull(stream, "stream");
        Check.notNull(name, "name");
        Check.notNull(grid, "grid");
        Check.notNull(kernel, "kernel");
        requireUsable();
        pending.incrementAndGet();
        boolean enqueued = false;
        try {
            Event event = stream.enqueue(name, () -> {
                try {
                    run(stream, name, grid, kernel, args);
                } finally {
                    pending.decrementAndGet();
                }
            });
            enqueued = true;
            return event;
        } finally {
            if (!enqueued) {
                pending.decrementAndGet();
            }
        }
    }

    /** Runs a launch to its end, on the stream's thread. */
    private <A> void run(Stream stream, String name, Grid grid, KernelFunction<A> kernel, A args)
            throws InterruptedException {
        oneAtATime.lock();
        try {
            world.checkAlive();
            PartThread[] parts = partsOf(grid);
            Launch<A> launch = new Launch<>(name, grid, kernel, args, new PartsBarrier(world, parts));
            for (PartThread part : parts) {
                part.start(launch);
            }
            launch.awaitEnd(stream, parts);
            TandemException failure = launch.failure();
            if (failure != null) {
                throw failure;
            }
        } finally {
            oneAtATime.unlock();
        }
    }

    private void requireUsable() {
        if (closed) {
            throw new UsageException(
                    "kernel runtime is closed: rank=" + world.rank() + "; launch before the rank ends");
        }
        world.checkAlive();
    }

    /** Gives the threads of a grid; VECTOR parts first, since what they send others wait for. */
    private PartThread[] partsOf(Grid grid) {
        if (!grid.equals(lastGrid)) {
            List<PartThread> parts = new ArrayList<>();
            if (grid.vector()) {
                parts.addAll(threads(vectors, grid.programs(), Part.VECTOR));
            }
            if (grid.cube()) {
                parts.addAll(threads(cubes, grid.programs(), Part.CUBE));
            }
            lastParts = parts.toArray(PartThread[]::new);
            lastGrid = grid;
        }
        return lastParts;
    }

    private List<PartThread> threads(List<PartThread> known, int programs, Part part) {
        while (known.size() < programs) {
            known.add(new PartThread(device, heap, engine, ON_CHIP_BYTES, known.size(), part));
        }
        return known.subList(0, programs);
    }

    @Override
    public int cores() {
        return device.cores();
    }

    @Override
    public String describe() {
        return device.cores() + " logical cores on " + device.permits().count() + " processors, matrix engine: "
                + engine.describe();
    }

    /**
     * Takes no more launches, waits for those there are, and ends the threads.
     *
     * @throws TimedOutException if a kernel does not end; its thread goes on then
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        Deadline deadline = world.deadline();
        while (pending.get() > 0 && !world.aborted() && !deadline.passed()) {
            LockSupport.parkNanos(POLL_NS);
        }
        List<PartThread> all = new ArrayList<>(cubes);
        all.addAll(vectors);
        all.forEach(PartThread::close);
        long endNs = System.nanoTime() + CLOSE_TIMEOUT_NS;
        for (PartThread part : all) {
            try {
                if (!part.join(TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime()))) {
                    throw new TimedOutException(
                            "kernel does not end: rank=" + world.rank() + ", part=" + part.situation()
                                    + "; let its loops end, and its waits be waits of the language");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
