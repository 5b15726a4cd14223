package dev.tandem.core.internal.launch;

import dev.tandem.core.launch.RankProgram;
import java.util.Arrays;
import java.util.List;

/** The main class of the processes that {@link ProcessLauncher} starts: the program's class name, then its arguments. */
public final class RankMain {

    private RankMain() {
    }

    /**
     * Runs a rank.
     *
     * @param arguments class name of the program, then what its own main method would get
     */
    public static void main(String[] arguments) {
        Console console = Console.ofProcess();
        int status;
        try {
            Class<? extends RankProgram> program = Class.forName(arguments[0]).asSubclass(RankProgram.class);
            List<String> own = Arrays.asList(arguments).subList(1, arguments.length);
            status = ProgramLauncher.run(program, null, own, console);
        } catch (ClassNotFoundException e) {
            console.error(
                    "program not found: class=" + arguments[0] + "; it must be on the class path of the launcher");
            status = ExitStatus.SETUP;
        }
        Halt.exit(status);
    }
}
