package dev.tandem.profiler.internal.ui;

import dev.tandem.profiler.internal.report.Report;
import dev.tandem.profiler.trace.TraceReader;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import javax.swing.SwingWorker;

/** Reads and analyses a file off the event thread; its progress, 0 to 100, and its result come back on the event thread. */
final class ImportWorker extends SwingWorker<Report, Void> {

    private final TraceReader reader;
    private final Path file;
    private final Consumer<Outcome> whenDone;

    /** How an import ended: a report, or a failure, or neither if it was cancelled. */
    record Outcome(Report report, Throwable failure) {
    }

    ImportWorker(TraceReader reader, Path file, Consumer<Outcome> whenDone) {
        this.reader = reader;
        this.file = file;
        this.whenDone = whenDone;
    }

    @Override
    protected Report doInBackground() throws Exception {
        return Report.of(reader.read(file, (readBytes, totalBytes) -> {
            setProgress(totalBytes == 0 ? 0 : (int) (100.0 * readBytes / totalBytes));
            return !isCancelled();
        }));
    }

    @Override
    protected void done() {
        try {
            whenDone.accept(new Outcome(get(), null));
        } catch (CancellationException e) {
            whenDone.accept(new Outcome(null, null));
        } catch (ExecutionException e) {
            boolean cancelled = e.getCause() instanceof CancellationException;
            whenDone.accept(new Outcome(null, cancelled ? null : e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            whenDone.accept(new Outcome(null, e));
        }
    }
}
