package dev.tandem.core.internal.world;

import dev.tandem.core.launch.JobSettings;
import dev.tandem.core.world.RankEnvironment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Worlds for tests, whose ranks are threads of this JVM, over memory or over sockets. */
final class Worlds {

    static final String SECRET = "a secret of this test";
    /** Far more than any of these tests takes, so that a hang is an error and a slow machine is none. */
    static final long TEST_LIMIT_S = 60;

    private Worlds() {
    }

    /** How ranks are connected. */
    enum Mode {
        INPROC, PROCESS
    }

    /** What a rank does. */
    @FunctionalInterface
    interface Program<T> {
        T run(LiveWorld world) throws Exception;
    }

    /** How a rank's program ended. */
    record Outcome<T>(T value, Throwable failure, long endedNs) {
    }

    static JobSettings settings(long timeoutMs) {
        return new JobSettings(TimeUnit.MILLISECONDS.toNanos(timeoutMs), 0, 0);
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static RankEnvironment environment(int rank, int size, int port) {
        return new RankEnvironment(
                rank, size, rank, size, "127.0.0.1", port, RankEnvironment.Launcher.VARIABLES, "test");
    }

    /** Runs a program on all ranks, closes each rank's world after it, and gives how each ended. */
    static <T> List<Outcome<T>> run(Mode mode, int size, long timeoutMs, Program<T> program) throws Exception {
        if (mode == Mode.INPROC) {
            List<LiveWorld> worlds = LiveWorld.inProcess(size, settings(timeoutMs));
            return together(size, rank -> () -> inWorld(worlds.get(rank), program));
        }
        int port = freePort();
        return together(size, rank -> () -> inWorld(
                Rendezvous.join(environment(rank, size, port), settings(timeoutMs), SECRET), program));
    }

    private static <T> T inWorld(LiveWorld world, Program<T> program) throws Exception {
        try (world) {
            T result;
            try {
                result = program.run(world);
            } catch (Throwable e) {
                world.abort(e);
                throw e;
            }
            world.leave();
            return result;
        }
    }

    /** What each rank runs. */
    @FunctionalInterface
    interface PerRank<T> {
        Callable<T> of(int rank);
    }

    /** Runs one task a rank at the same time and gives how each ended. */
    static <T> List<Outcome<T>> together(int size, PerRank<T> tasks) throws Exception {
        List<Outcome<T>> outcomes = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(size)) {
            List<Future<Outcome<T>>> futures = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                Callable<T> task = tasks.of(rank);
                futures.add(threads.submit(() -> {
                    try {
                        T value = task.call();
                        return new Outcome<>(value, null, System.nanoTime());
                    } catch (Throwable e) {
                        return new Outcome<T>(null, e, System.nanoTime());
                    }
                }));
            }
            for (Future<Outcome<T>> future : futures) {
                try {
                    outcomes.add(future.get(TEST_LIMIT_S, TimeUnit.SECONDS));
                } catch (ExecutionException | TimeoutException e) {
                    threads.shutdownNow();
                    throw new AssertionError("a rank hangs; so far: " + outcomes, e);
                }
            }
        }
        return outcomes;
    }

    /** Gives the values, or throws the first failure. */
    static <T> List<T> values(List<Outcome<T>> outcomes) {
        List<T> values = new ArrayList<>();
        for (Outcome<T> outcome : outcomes) {
            if (outcome.failure() != null) {
                throw new AssertionError("a rank failed: " + outcome.failure(), outcome.failure());
            }
            values.add(outcome.value());
        }
        return values;
    }
}
