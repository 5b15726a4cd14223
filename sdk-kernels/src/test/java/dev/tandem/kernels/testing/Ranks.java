package dev.tandem.kernels.testing;

import dev.tandem.core.Check;
import dev.tandem.core.device.Device;
import dev.tandem.core.device.Stream;
import dev.tandem.core.internal.world.LiveWorld;
import dev.tandem.core.launch.JobSettings;
import dev.tandem.core.world.World;
import dev.tandem.kernels.fused.FusedKernels;
import dev.tandem.kernels.internal.runtime.HostKernelRuntime;
import dev.tandem.kernels.matrix.MatrixEngine;
import dev.tandem.shmem.SymmetricHeap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

/** A world of ranks in this JVM, each with heap, device, runtime and kernels of its own. */
public final class Ranks {

    /** What one rank does. */
    @FunctionalInterface
    public interface Body {

        /** Runs the rank. */
        void run(Rank rank) throws Exception;
    }

    /** What one rank has. */
    public record Rank(World world, SymmetricHeap heap, Device device, Stream stream, HostKernelRuntime runtime,
            FusedKernels kernels) {

        /** Gives the rank's number. */
        public int index() {
            return world.rank();
        }
    }

    private final int size;
    private int cores = 4;
    private int processors = 1;
    private long timeoutNs = TimeUnit.SECONDS.toNanos(60);
    private Supplier<MatrixEngine> engine = PlainEngine::new;

    private Ranks(int size) {
        this.size = size;
    }

    /** Makes a world of {@code size} ranks with 4 cores on 1 processor each. */
    public static Ranks of(int size) {
        return new Ranks(Check.positive(size, "size"));
    }

    /** Sets how many logical cores each rank has. */
    public Ranks cores(int value) {
        cores = value;
        return this;
    }

    /** Sets how many processors each rank has. */
    public Ranks processors(int value) {
        processors = value;
        return this;
    }

    /** Sets how long a wait may last. */
    public Ranks timeoutMs(long value) {
        timeoutNs = TimeUnit.MILLISECONDS.toNanos(value);
        return this;
    }

    /** Sets the matrix engine. */
    public Ranks engine(Supplier<MatrixEngine> value) {
        engine = value;
        return this;
    }

    /** Runs all ranks to their end; throws the first failure by rank, the others suppressed. */
    public void run(Body body) throws Exception {
        List<Throwable> failures = new ArrayList<>();
        for (Throwable failure : outcomes(body)) {
            if (failure != null) {
                failures.add(failure);
            }
        }
        if (!failures.isEmpty()) {
            AssertionError error = new AssertionError(
                    failures.size() + " of " + size + " ranks failed: " + failures.get(0),
                    failures.get(0));
            failures.stream().skip(1).forEach(error::addSuppressed);
            throw error;
        }
    }

    /** Runs all ranks to their end and gives what each ended with, null for success. */
    public List<Throwable> outcomes(Body body) throws InterruptedException {
        JobSettings settings = new JobSettings(timeoutNs, 0, cores);
        List<LiveWorld> worlds = LiveWorld.inProcess(size, settings);
        AtomicReferenceArray<Throwable> outcomes = new AtomicReferenceArray<>(size);
        List<Thread> threads = new ArrayList<>();
        for (LiveWorld world : worlds) {
            threads.add(Thread.ofPlatform().daemon().name("rank " + world.rank()).start(() -> {
                try {
                    runRank(world, settings, body);
                } catch (Throwable failure) {
                    outcomes.set(world.rank(), failure);
                    world.abort(failure);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join(TimeUnit.MINUTES.toMillis(5));
            if (thread.isAlive()) {
                AssertionError hang = new AssertionError("a rank does not end: " + thread.getName());
                hang.setStackTrace(thread.getStackTrace());
                throw hang;
            }
        }
        List<Throwable> all = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            all.add(outcomes.get(rank));
        }
        for (LiveWorld world : worlds) {
            world.close();
        }
        return all;
    }

    private void runRank(LiveWorld world, JobSettings settings, Body body) throws Exception {
        Device device = new Device(new FewerProcessors(world, processors), settings);
        try (SymmetricHeap heap = SymmetricHeap.open(world, settings);
                MatrixEngine matrix = engine.get();
                HostKernelRuntime runtime = new HostKernelRuntime(device, heap, matrix)) {
            Stream stream = device.createStream("kernels");
            try {
                body.run(new Rank(world, heap, device, stream, runtime, new FusedKernels(runtime, heap, stream)));
            } catch (Throwable failure) {
                // the others must hear of it before anything here is closed and waits for them
                world.abort(failure);
                throw failure;
            }
        }
    }
}
