/**
 * The one command, {@code tandem}: runs the samples, lists them, and takes in the commands of other modules.
 *
 * <p>{@link dev.tandem.core.cli.Main} is its main class. A module adds a command by providing a
 * {@link dev.tandem.core.cli.Subcommand}, and a sample by providing a {@link dev.tandem.core.launch.Sample}.
 *
 * {@snippet :
 * @Command(name = "report", description = "Summarise a trace.")
 * public final class ReportCommand implements Subcommand {
 *     @Parameters(description = "Trace file.") private Path trace;
 *     @Override public int run(PrintStream out, PrintStream err) throws IOException {
 *         out.println(Overlap.of(Trace.read(trace)));
 *         return 0;
 *     }
 * }
 * }
 */
package dev.tandem.core.cli;
