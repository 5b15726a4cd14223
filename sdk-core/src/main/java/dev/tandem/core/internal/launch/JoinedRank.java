package dev.tandem.core.internal.launch;

import com.google.inject.Module;
import dev.tandem.core.PeerLostException;
import dev.tandem.core.internal.world.LiveWorld;
import dev.tandem.core.internal.world.Rendezvous;
import dev.tandem.core.launch.RankProgram;
import dev.tandem.core.world.RankEnvironment;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** This process's rank in a job that some launcher has started: Tandem's own, torchrun, mpirun, srun. Stateless. */
final class JoinedRank {

    /** Set by Tandem's own launcher: its process id. */
    static final String LAUNCHER = "TANDEM_LAUNCHER";

    /** How long this process may live on after its job has come down, if its main thread does not end. */
    private static final long GRACE_NS = 800_000_000L;

    private JoinedRank() {
    }

    /** Joins the job, runs the rank and gives the process's exit status. */
    static int run(RankProgram program, RankEnvironment environment, JobPlan plan, Console console) {
        boolean ownLauncher = environment.launcher() == RankEnvironment.Launcher.TANDEM;
        if (ownLauncher) {
            ParentWatch.start();
        }
        // What this process ends with should its main thread not come back from where it is.
        AtomicInteger stuckStatus = new AtomicInteger(
                ownLauncher ? ExitStatus.FAILED_ELSEWHERE : ExitStatus.RANK_FAILED);
        Consumer<Throwable> report = failure -> {
            if (!ExitStatus.elsewhere(failure)) {
                stuckStatus.set(ExitStatus.ofRank(failure));
            }
            report(failure, environment.rank(), ownLauncher, plan.verbose(), console);
        };
        RankOutcome outcome;
        try {
            List<Module> modules = RankSession.modulesOf(program.getClass());
            LiveWorld world = Rendezvous.join(environment, plan.settings());
            world.afterAbort(GRACE_NS, () -> Halt.now(stuckStatus.get()));
            String prefix = ownLauncher ? "" : plan.prefix(world.rank());
            outcome = RankRunner.run(
                    world,
                    status -> leave(world, status, ownLauncher),
                    program,
                    modules,
                    plan.settings(),
                    line -> console.out(prefix + line),
                    report);
        } catch (RuntimeException | Error e) {
            report.accept(e);
            outcome = new RankOutcome(ExitStatus.ofRank(e), e);
        }
        return ownLauncher && outcome.elsewhere() ? ExitStatus.FAILED_ELSEWHERE : outcome.status();
    }

    private static void leave(LiveWorld world, int status, boolean ownLauncher) throws InterruptedException {
        try (world) {
            if (status != ExitStatus.OK && !ownLauncher && !world.aborted()) {
                // Nobody else may stop the others: stay until the job has come down.
                CountDownLatch down = new CountDownLatch(1);
                world.onAbort(down::countDown);
                world.leave();
                down.await(2 * RankRunner.GRACE_NS, TimeUnit.NANOSECONDS);
            }
        }
    }

    private static void report(Throwable failure, int rank, boolean ownLauncher, boolean verbose, Console console) {
        if (verbose) {
            console.trace(failure);
        }
        FailureReport report = FailureReport.of(failure);
        if (ownLauncher) {
            console.err(report.toLine());
            return;
        }
        // Under another launcher nobody else speaks: the rank that failed does; for a rank that died, rank 0.
        if (!report.elsewhere() || verbose || failure instanceof PeerLostException && rank == 0) {
            console.error("Rank " + rank + ": " + report.sentence());
        }
    }
}
