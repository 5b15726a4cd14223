package dev.tandem.profiler.internal.cli;

import com.google.inject.Guice;
import dev.tandem.core.UsageException;
import dev.tandem.core.cli.Subcommand;
import dev.tandem.profiler.ProfilerModule;
import dev.tandem.profiler.internal.report.Report;
import dev.tandem.profiler.trace.ImportProgress;
import dev.tandem.profiler.trace.TraceReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tandem report}: the figures of traces in the terminal. */
@Command(name = "report", description = "Say how much communication was hidden in a trace.")
public final class ReportCommand implements Subcommand {

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Chrome trace-event JSON, gzip or not.")
    private List<Path> files;

    @Option(names = "--json", description = "Print JSON, with times in integer nanoseconds.")
    private boolean json;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    private boolean help;

    /** Made by the service loader. */
    public ReportCommand() {
        // options are set by picocli
    }

    @Override
    public int run(PrintStream out, PrintStream err) throws IOException {
        TraceReader reader = Guice.createInjector(new ProfilerModule()).getInstance(TraceReader.class);
        List<Report> reports = new ArrayList<>();
        for (Path file : files) {
            if (!Files.isRegularFile(file)) {
                throw new UsageException("no such trace file: " + file + "; give a file of Chrome trace-event JSON");
            }
            reports.add(Report.of(reader.read(file, ImportProgress.NONE)));
        }
        if (json) {
            out.println(Report.json(reports));
        } else {
            for (int i = 0; i < reports.size(); i++) {
                out.print((i == 0 ? "" : System.lineSeparator()) + reports.get(i).text());
            }
        }
        return 0;
    }
}
