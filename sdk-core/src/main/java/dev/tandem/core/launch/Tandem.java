package dev.tandem.core.launch;

import dev.tandem.core.Check;
import dev.tandem.core.internal.launch.Console;
import dev.tandem.core.internal.launch.ProgramLauncher;
import java.util.List;

/**
 * Runs a {@link RankProgram} on all ranks of a job.
 *
 * <p>A program's main method is one line, {@code System.exit(Tandem.main(MyProgram.class, args))}, and serves every way to
 * start it. Started without a rank environment, from a shell or by an IDE's Run button, it launches its own ranks
 * ({@code --nproc-per-node}, {@code --mode process|inproc}); started by torchrun, mpirun, srun or Tandem's own launcher
 * it joins the job as one rank.
 *
 * <p>Exit statuses: 0 every rank ended well, 1 a rank failed, 2 the command line is wrong, 3 the machine or the environment
 * does not allow the job, 130 interrupted. A failure is one sentence on standard error, with where it came from only
 * under {@code --verbose}.
 *
 * <p>Stateless and thread-safe: one JVM may run several jobs at once.
 */
public final class Tandem {

    private Tandem() {
    }

    /**
     * Parses a command line and runs the program that it is for. Returns when all ranks have ended; never throws what a
     * rank threw.
     *
     * @param program what each rank runs: a picocli {@code @Command} class with a constructor without arguments
     * @param arguments the program's own options and the job's; {@code --help} lists both
     * @return the exit status, for {@link System#exit}
     */
    public static int main(Class<? extends RankProgram> program, String... arguments) {
        Check.notNull(program, "program");
        Check.notNull(arguments, "arguments");
        return ProgramLauncher.run(program, null, List.of(arguments), Console.ofProcess());
    }

    /**
     * Prepares a job whose ranks are threads of this JVM, for unit tests and for applications that have no command line of
     * this kind. Unlike {@link #main}, it throws what a rank threw.
     *
     * @param ranks how many ranks, at least 1
     * @return the job, to be run
     */
    public static InProcessJob inProcess(int ranks) {
        return new InProcessJob(ranks);
    }
}
