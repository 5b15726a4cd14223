package dev.tandem.core.cli;

import dev.tandem.core.SetupException;
import java.io.PrintStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A command of another module, for the tests of the command line. */
@Command(name = "echo", description = "Print a word.")
public final class TestSubcommand implements Subcommand {

    @Option(names = "--word", required = true, description = "The word.")
    private String word;

    /** Creates it, as a service, a command or a module is created. */
    public TestSubcommand() {
        // nothing to set
    }

    @Override
    public int run(PrintStream out, PrintStream err) {
        if (word.isEmpty()) {
            throw new SetupException("no word: word=; give one");
        }
        out.println(word);
        err.println("echoed");
        return word.length();
    }
}
