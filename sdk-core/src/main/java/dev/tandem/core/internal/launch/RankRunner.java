package dev.tandem.core.internal.launch;

import com.google.inject.Module;
import dev.tandem.core.JobAbortedException;
import dev.tandem.core.launch.JobSettings;
import dev.tandem.core.launch.RankProgram;
import dev.tandem.core.world.World;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Runs one rank's program in a world that has been joined, closes what the rank made, and leaves the world.
 *
 * <p>The same in process mode and in in-process mode. Stateless.
 */
final class RankRunner {

    /** How long the other ranks may take to end by themselves after this one's program has ended without success. */
    static final long GRACE_NS = 800_000_000L;

    private RankRunner() {
    }

    /**
     * Runs the rank to its end; a failure of it brings the world down and is in the outcome, never thrown.
     *
     * @param world the rank's world
     * @param leave leaves the world in good order, told the program's status
     * @param onFailure told of the rank's first failure before the world is brought down
     */
    static RankOutcome run(
            World world,
            Leaving leave,
            RankProgram program,
            List<Module> modules,
            JobSettings settings,
            Consumer<String> output,
            Consumer<Throwable> onFailure) {
        RankSession session = new RankSession(world, settings, modules, output);
        int status = ExitStatus.OK;
        Throwable failure = null;
        try {
            status = program.run(session);
        } catch (Throwable e) {
            failure = first(null, e, world, onFailure);
        }
        try {
            session.close();
        } catch (Throwable e) {
            failure = first(failure, e, world, onFailure);
        }
        boolean ownVerdict = failure == null && status != ExitStatus.OK;
        if (ownVerdict) {
            abortLater(world, status);
        }
        try {
            leave.leave(failure == null ? status : ExitStatus.RANK_FAILED);
        } catch (Throwable e) {
            // A program that has said how it ended keeps its word: what follows from its end is not its failure.
            if (!ownVerdict || !ExitStatus.elsewhere(e)) {
                failure = first(failure, e, world, onFailure);
            }
        }
        if (failure == null) {
            return new RankOutcome(status, null);
        }
        return new RankOutcome(ExitStatus.ofRank(failure), failure);
    }

    /**
     * Brings the job down in a moment, because this rank's program has ended with a status that is no success. In that
     * moment ranks that all end so, each with a verdict of its own, get to say it.
     */
    private static void abortLater(World world, int status) {
        long endNs = System.nanoTime() + GRACE_NS;
        Thread.ofPlatform().daemon().name("tandem-rank-" + world.rank() + "-status").start(() -> {
            for (long left = GRACE_NS; left > 0; left = endNs - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            world.abort(new JobAbortedException(
                    "its program has ended with " + ExitStatus.describe(status) + "; see what it has printed"));
        });
    }

    private static Throwable first(
            Throwable failure, Throwable next, World world, Consumer<Throwable> onFailure) {
        if (failure == null) {
            onFailure.accept(next);
            world.abort(next);
            return next;
        }
        if (failure != next) {
            failure.addSuppressed(next);
        }
        return failure;
    }

    /** The orderly end of a rank's part in the job. */
    @FunctionalInterface
    interface Leaving {

        /** Leaves, having ended with {@code status}. */
        void leave(int status) throws Exception;
    }
}
