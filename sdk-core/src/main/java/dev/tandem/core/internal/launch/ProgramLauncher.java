package dev.tandem.core.internal.launch;

import dev.tandem.core.UsageException;
import dev.tandem.core.launch.RankProgram;
import dev.tandem.core.world.RankEnvironment;
import java.util.List;
import java.util.Optional;

/** Runs a program: as a rank of a job that exists, or as a job of its own. Stateless. */
public final class ProgramLauncher {

    private ProgramLauncher() {
    }

    /**
     * Parses, validates and runs.
     *
     * @param program the program's class
     * @param name what the user calls it; null for what its {@code @Command} says
     * @param arguments the command line
     * @param console where its output goes
     * @return the exit status
     */
    public static int run(
            Class<? extends RankProgram> program, String name, List<String> arguments, Console console) {
        boolean verbose = arguments.contains("--verbose");
        try {
            ProgramCommand command = ProgramCommand.parse(program, name, arguments);
            if (command.helped(console)) {
                return ExitStatus.OK;
            }
            JobPlan plan = command.options().validate();
            Optional<RankEnvironment> environment = RankEnvironment.find(System.getenv(), plan.masterAddress(),
                    plan.masterPort());
            if (environment.isPresent()) {
                return join(command, environment.get(), plan, console);
            }
            return launch(command, program, name, arguments, plan, console);
        } catch (RuntimeException | Error e) {
            if (verbose) {
                console.trace(e);
            }
            console.error(FailureReport.sentence(e));
            return ExitStatus.beforeRanks(e);
        }
    }

    private static int join(ProgramCommand command, RankEnvironment environment, JobPlan plan, Console console) {
        if (plan.mode() == JobPlan.Mode.INPROC) {
            throw new UsageException(
                    "--mode=inproc starts all ranks in one JVM, and a launcher has started this one as rank "
                            + environment.rank() + " of " + environment.worldSize() + "; leave out one of the two");
        }
        if (command.options().ranksGiven() && plan.ranks() != environment.localWorldSize()) {
            throw new UsageException("launchers disagree: --nproc-per-node=" + plan.ranks() + ", ranks on this machine="
                    + environment.localWorldSize() + " by " + environment.launcher().label()
                    + "; leave out --nproc-per-node");
        }
        command.program().check(environment.worldSize());
        return JoinedRank.run(command.program(), environment, plan, console);
    }

    private static int launch(
            ProgramCommand command,
            Class<? extends RankProgram> program,
            String name,
            List<String> arguments,
            JobPlan plan,
            Console console) {
        command.program().check(plan.ranks());
        if (plan.mode() == JobPlan.Mode.PROCESS) {
            return new ProcessLauncher(program, arguments, plan, console).run();
        }
        return inProcess(program, name, arguments, plan, console);
    }

    private static int inProcess(
            Class<? extends RankProgram> program,
            String name,
            List<String> arguments,
            JobPlan plan,
            Console console) {
        InProcessLauncher.Failed failed;
        try {
            failed = new InProcessLauncher(
                    plan.ranks(),
                    plan.settings(),
                    () -> ProgramCommand.parse(program, name, arguments).program(),
                    () -> RankSession.modulesOf(program),
                    (rank, line) -> console.out(plan.prefix(rank) + line),
                    () -> console.error(ShutdownHooks.INTERRUPTED))
                    .run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitStatus.INTERRUPTED;
        }
        if (failed == null) {
            return ExitStatus.OK;
        }
        if (plan.verbose() && failed.failure() != null) {
            console.trace(failed.failure());
        }
        FailureReport report = failed.failure() == null ? null : FailureReport.of(failed.failure());
        Verdict verdict = new Verdict(failed.rank(), plan.ranks(), failed.status(), report, failed.lastLines());
        verdict.print(console);
        for (int rank : failed.running()) {
            console.error("Rank " + rank
                    + " has not ended: its thread is in native code or does not look at its world; it is left alone.");
        }
        return verdict.exitStatus();
    }
}
