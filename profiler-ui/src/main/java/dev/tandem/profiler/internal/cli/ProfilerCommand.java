package dev.tandem.profiler.internal.cli;

import com.google.inject.Guice;
import dev.tandem.core.SetupException;
import dev.tandem.core.cli.Subcommand;
import dev.tandem.profiler.ProfilerModule;
import dev.tandem.profiler.internal.ui.Display;
import dev.tandem.profiler.internal.ui.ProfilerWindow;
import dev.tandem.profiler.internal.ui.Theme;
import dev.tandem.profiler.trace.TraceReader;
import java.awt.event.WindowAdapter;
import java.awt.event.WindowEvent;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import javax.swing.SwingUtilities;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tandem profiler}: the window. */
@Command(name = "profiler", description = "Show traces in a window.")
public final class ProfilerCommand implements Subcommand {

    @Parameters(paramLabel = "FILE", arity = "0..1", description = "The trace to open at once.")
    private Path file;

    @Option(names = "--theme", defaultValue = "SYSTEM", description = "${COMPLETION-CANDIDATES}: the look; SYSTEM is dark where GNOME's theme is dark, else light.")
    private Theme theme;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    private boolean help;

    /** Made by the service loader. */
    public ProfilerCommand() {
        // options are set by picocli
    }

    @Override
    public int run(PrintStream out, PrintStream err) throws Exception {
        Display.missing().ifPresent(reason -> {
            throw new SetupException("the profiler's window needs a display: " + reason
                    + "; tandem report FILE gives the same figures without one");
        });
        TraceReader reader = Guice.createInjector(new ProfilerModule()).getInstance(TraceReader.class);
        CompletableFuture<Void> closed = new CompletableFuture<>();
        SwingUtilities.invokeAndWait(() -> {
            ProfilerWindow window = new ProfilerWindow(reader, theme);
            window.whenClosed(new WindowAdapter() {
                @Override
                public void windowClosed(WindowEvent event) {
                    closed.complete(null);
                }
            });
            window.show();
            if (file != null) {
                window.open(file);
            }
        });
        closed.get();
        return 0;
    }
}
