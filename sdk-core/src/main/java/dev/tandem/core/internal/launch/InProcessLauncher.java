package dev.tandem.core.internal.launch;

import com.google.inject.Module;
import dev.tandem.core.JobAbortedException;
import dev.tandem.core.internal.world.LiveWorld;
import dev.tandem.core.launch.JobSettings;
import dev.tandem.core.launch.RankProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Runs a job with all ranks in this JVM, each with a world, an injector and a thread of its own.
 *
 * <p>One instance a job; {@link #run()} is called once, by one thread.
 */
public final class InProcessLauncher {

    /** How long the other ranks may take to end by themselves after the first failure, twice. */
    private static final long GRACE_NS = 1_000_000_000L;

    private final int ranks;
    private final JobSettings settings;
    private final Supplier<? extends RankProgram> programs;
    private final Supplier<List<Module>> modules;
    private final BiConsumer<Integer, String> output;
    private final Runnable onInterrupt;
    private final BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();

    /**
     * Prepares a job.
     *
     * @param ranks how many ranks
     * @param settings what every rank is told
     * @param programs asked for a program once a rank
     * @param modules asked for the modules of its objects once a rank
     * @param output given a rank and a line that it writes, by several threads
     * @param onInterrupt called after the ranks were stopped because this process is ending
     */
    public InProcessLauncher(
            int ranks,
            JobSettings settings,
            Supplier<? extends RankProgram> programs,
            Supplier<List<Module>> modules,
            BiConsumer<Integer, String> output,
            Runnable onInterrupt) {
        this.ranks = ranks;
        this.settings = settings;
        this.programs = programs;
        this.modules = modules;
        this.output = output;
        this.onInterrupt = onInterrupt;
    }

    /**
     * Makes the modules that a program's class names; each rank needs its own.
     *
     * @param program the program's class
     * @return modules, in a list that may be added to
     */
    public static List<Module> modulesOf(Class<?> program) {
        return RankSession.modulesOf(program);
    }

    /**
     * How a job failed.
     *
     * @param rank the rank that failed first; if none has failed on its own, one that followed
     * @param status its exit status
     * @param failure what went wrong there; null if its program has returned the status
     * @param lastLines what it wrote last
     * @param running ranks whose threads have not ended
     */
    public record Failed(int rank, int status, Throwable failure, List<String> lastLines, List<Integer> running) {
    }

    private record Ended(int rank, RankOutcome outcome, RecentLines recent) {
    }

    /**
     * Runs the job until all its ranks have ended, or for two more seconds after the first has failed.
     *
     * @return how it failed; null if it has not
     * @throws InterruptedException if the calling thread is interrupted; the job is brought down
     */
    public Failed run() throws InterruptedException {
        List<LiveWorld> worlds = LiveWorld.inProcess(ranks, settings);
        Thread hook = Thread.ofPlatform().name("tandem-interrupt").unstarted(() -> interrupt(worlds));
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            for (LiveWorld world : worlds) {
                start(world, programs.get(), modules.get());
            }
            return supervise(worlds);
        } catch (InterruptedException | RuntimeException e) {
            abortAll(worlds, new JobAbortedException("job interrupted in the thread that runs it; run it again", e));
            throw e;
        } finally {
            SharedMemoryLeftovers.remove(worlds.getFirst().jobId());
            ShutdownHooks.withdraw(hook);
        }
    }

    private void start(LiveWorld world, RankProgram program, List<Module> rankModules) {
        int rank = world.rank();
        RecentLines recent = new RecentLines();
        Thread.ofPlatform().daemon().name("rank-" + rank).start(() -> {
            RankOutcome outcome = RankRunner.run(
                    world,
                    status -> world.close(),
                    program,
                    rankModules,
                    settings,
                    line -> {
                        recent.add(line);
                        output.accept(rank, line);
                    },
                    failure -> {});
            ended.add(new Ended(rank, outcome, recent));
        });
    }

    private Failed supervise(List<LiveWorld> worlds) throws InterruptedException {
        List<Ended> order = new ArrayList<>();
        while (order.size() < ranks) {
            Ended next = ended.take();
            order.add(next);
            if (!next.outcome().ok()) {
                return fail(worlds, order);
            }
        }
        return null;
    }

    private Failed fail(List<LiveWorld> worlds, List<Ended> order) throws InterruptedException {
        if (!awaitRest(order)) {
            Ended failed = order.getLast();
            abortAll(worlds, new JobAbortedException("rank " + failed.rank() + " ended with "
                    + ExitStatus.describe(failed.outcome().status()) + "; see its output"));
            awaitRest(order);
        }
        Ended first = order.stream()
                .filter(rank -> !rank.outcome().ok() && !rank.outcome().elsewhere())
                .findFirst()
                .orElse(order.getFirst());
        List<Integer> running = worlds.stream()
                .map(LiveWorld::rank)
                .filter(rank -> order.stream().noneMatch(other -> other.rank() == rank))
                .toList();
        RankOutcome outcome = first.outcome();
        return new Failed(first.rank(), outcome.status(), outcome.failure(), first.recent().lines(), running);
    }

    /** Waits a moment for the ranks that are still running; false if some still are. */
    private boolean awaitRest(List<Ended> order) throws InterruptedException {
        long endNs = System.nanoTime() + GRACE_NS;
        while (order.size() < ranks) {
            Ended next = ended.poll(Math.max(1, endNs - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (next == null) {
                return false;
            }
            order.add(next);
        }
        return true;
    }

    private static void abortAll(List<LiveWorld> worlds, Throwable cause) {
        worlds.forEach(world -> world.abort(cause));
    }

    private void interrupt(List<LiveWorld> worlds) {
        abortAll(worlds, new JobAbortedException("job interrupted: its process is ending; run it again"));
        SharedMemoryLeftovers.remove(worlds.getFirst().jobId());
        onInterrupt.run();
    }
}
