package dev.tandem.core.cli;

import java.io.PrintStream;

/**
 * A command that a module adds to {@code tandem}; provided as a service.
 *
 * <p>The class is a picocli {@code @Command} with a name and a description; its fields are its options. It is made when
 * the command line names it, or for {@code tandem --help}.
 */
public interface Subcommand {

    /**
     * Does what the command is for. A {@link dev.tandem.core.UsageException} ends the command with exit status 2, a
     * {@link dev.tandem.core.SetupException} with 3, anything else with 1; each as one sentence.
     *
     * @param out where results go
     * @param err where progress and remarks go
     * @return the exit status; 0 for success
     * @throws Exception if it fails
     */
    int run(PrintStream out, PrintStream err) throws Exception;
}
