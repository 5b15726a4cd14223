package dev.tandem.core.launch;

import dev.tandem.core.Check;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A program whose ranks end as the command line says; what the launcher's tests run. */
@Command(name = "test-program", description = "Ends as it is told to.")
@RankModules(TestModule.class)
public final class TestProgram implements RankProgram {

    @Option(names = "--rank", description = "The rank that misbehaves.")
    private int rank = -1;

    @Option(names = "--how", description = "How: ${COMPLETION-CANDIDATES}.")
    private How how = How.WELL;

    @Option(names = "--lines", description = "Lines that each rank writes.")
    private int lines;

    @Option(names = "--size", description = "A number that must not be negative.")
    private int size;

    @Option(names = "--inject", description = "Take an object from the injector.")
    private boolean inject;

    @Option(names = "--litter", description = "Leave a file as the symmetric heap names its files.")
    private boolean litter;

    /** Ways for a rank to end. */
    enum How {
        /** All ranks meet and return 0. */
        WELL,
        /** One throws while the others wait for it. */
        THROW,
        /** One returns 7 while the others wait for it. */
        RETURN_7,
        /** All return 1, each with a verdict. */
        ALL_RETURN_1,
        /** One ends its process with status 0 while the others wait for it. */
        EXIT_0,
        /** One gets SIGKILL while the others wait for it. */
        KILL,
        /** One throws while the others are deaf to the world. */
        THROW_AT_DEAF,
        /** All are deaf to the world. */
        ALL_DEAF,
        /** One never comes. */
        NEVER_COME
    }

    /** Creates it, as a service, a command or a module is created. */
    public TestProgram() {
        // nothing to set
    }

    @Override
    public void check(int ranks) {
        Check.notNegative(size, "--size");
    }

    @Override
    public int run(RankContext context) {
        int me = context.world().rank();
        int ranks = context.world().size();
        context.printInOrder("[INFO] Rank " + me + " of " + ranks + " initialized");
        context.print("pid of rank " + me + ": " + ProcessHandle.current().pid());
        for (int i = 0; i < lines; i++) {
            context.print("line " + i + " of rank " + me);
        }
        if (inject) {
            context.print("got " + context.get(TestModule.Opened.class));
        }
        if (litter) {
            litter("tandem-" + context.world().jobId() + "-" + me);
            context.world().group().barrier();
        }
        if (how == How.ALL_DEAF || me == rank && how == How.NEVER_COME) {
            context.print("deaf");
            deaf();
        }
        if (how == How.ALL_RETURN_1) {
            context.printInOrder("[FAIL] Rank " + me);
            return 1;
        }
        if (me == rank) {
            return misbehave(context);
        }
        if (how == How.THROW_AT_DEAF) {
            deaf();
        }
        context.world().group().barrier();
        context.printInOrder(me == 0 ? "[INFO] all " + ranks + " ranks done" : null);
        return 0;
    }

    private int misbehave(RankContext context) {
        switch (how) {
            case THROW, THROW_AT_DEAF -> throw new IllegalStateException("boom on purpose");
            case RETURN_7 -> {
                context.print("about to return 7");
                return 7;
            }
            case EXIT_0 -> System.exit(0);
            case KILL -> {
                context.print("about to be killed");
                kill(ProcessHandle.current().pid());
                deaf();
            }
            default -> {
                return 0;
            }
        }
        return 0;
    }

    private static void litter(String name) {
        try {
            Files.createFile(Path.of(System.getenv("TANDEM_SHM_DIR"), name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void kill(long pid) {
        try {
            new ProcessBuilder("kill", "-9", Long.toString(pid)).inheritIO().start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits as native code does: looks neither at the world nor at interrupts. Ends with its process at the latest. */
    private static void deaf() {
        while (true) {
            LockSupport.parkNanos(1_000_000_000L);
        }
    }

    /**
     * Runs the program.
     *
     * @param arguments the command line
     */
    public static void main(String[] arguments) {
        System.exit(Tandem.main(TestProgram.class, arguments));
    }
}
