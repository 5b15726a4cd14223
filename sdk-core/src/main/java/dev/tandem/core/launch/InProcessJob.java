package dev.tandem.core.launch;

import com.google.inject.Module;
import dev.tandem.core.Check;
import dev.tandem.core.JobAbortedException;
import dev.tandem.core.internal.launch.Console;
import dev.tandem.core.internal.launch.ExitStatus;
import dev.tandem.core.internal.launch.InProcessLauncher;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A job whose ranks are threads of the calling JVM, for unit tests and for applications without a command line of their
 * own. Made by {@link Tandem#inProcess(int)}.
 *
 * <p>Not thread-safe; may be run several times, each time with new ranks.
 *
 * {@snippet :
 * Tandem.inProcess(4).module(MyModule::new).run(() -> rank -> {
 *     rank.world().group().barrier();
 *     return 0;
 * });
 * }
 */
public final class InProcessJob {

    private final int ranks;
    private final List<Supplier<? extends Module>> modules = new ArrayList<>();
    private JobSettings settings = JobSettings.defaults();
    private Consumer<String> output;

    InProcessJob(int ranks) {
        this.ranks = Check.positive(ranks, "ranks");
    }

    /**
     * Sets what every rank is told.
     *
     * @param newSettings instead of {@link JobSettings#defaults()}
     * @return this
     */
    public InProcessJob settings(JobSettings newSettings) {
        settings = Check.notNull(newSettings, "settings");
        return this;
    }

    /**
     * Adds a module to those that the ranks' objects come from: {@link CoreModule}, and those that the program's class
     * names in {@link RankModules}.
     *
     * @param module gives the module; asked once a rank
     * @return this
     */
    public InProcessJob module(Supplier<? extends Module> module) {
        modules.add(Check.notNull(module, "module"));
        return this;
    }

    /**
     * Sets where the lines go that ranks print.
     *
     * @param newOutput called by the ranks' threads, with a whole line; standard output unless set
     * @return this
     */
    public InProcessJob output(Consumer<String> newOutput) {
        output = Check.notNull(newOutput, "output");
        return this;
    }

    /**
     * Runs the job until all ranks have ended.
     *
     * @param programs gives what a rank runs; asked once a rank
     * @throws RuntimeException what the first rank to fail has thrown, if that is unchecked
     * @throws Error what the first rank to fail has thrown, if that is an error
     * @throws JobAbortedException if the first rank to fail has thrown a checked exception, which is the cause, or has
     *     returned another status than 0; or if the calling thread was interrupted
     */
    public void run(Supplier<? extends RankProgram> programs) {
        Check.notNull(programs, "programs");
        Consumer<String> lines = output != null ? output : Console.ofProcess()::out;
        List<RankProgram> made = new ArrayList<>();
        InProcessLauncher.Failed failed;
        try {
            failed = new InProcessLauncher(
                    ranks,
                    settings,
                    () -> {
                        RankProgram program = programs.get();
                        made.add(program);
                        return program;
                    },
                    () -> modulesOf(made.getLast()),
                    (rank, line) -> lines.accept(line),
                    () -> {})
                    .run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JobAbortedException("job interrupted in the thread that runs it; run it again", e);
        }
        if (failed != null) {
            throw failure(failed);
        }
    }

    private List<Module> modulesOf(RankProgram program) {
        List<Module> all = InProcessLauncher.modulesOf(program.getClass());
        modules.forEach(supplier -> all.add(supplier.get()));
        return all;
    }

    private static RuntimeException failure(InProcessLauncher.Failed failed) {
        switch (failed.failure()) {
            case RuntimeException unchecked -> {
                return unchecked;
            }
            case Error error -> throw error;
            case null -> {
                return new JobAbortedException("rank " + failed.rank() + " ended with "
                        + ExitStatus.describe(failed.status()) + "; its output says why");
            }
            default -> {
                return new JobAbortedException(
                        "rank " + failed.rank() + " failed: " + Console.sentence(failed.failure()), failed.failure());
            }
        }
    }
}
