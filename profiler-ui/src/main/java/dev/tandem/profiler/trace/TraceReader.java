package dev.tandem.profiler.trace;

import java.io.IOException;
import java.nio.file.Path;

/** Reads trace files. Any thread may use it, several at a time. */
@FunctionalInterface
public interface TraceReader {

    /**
     * Reads a file.
     *
     * @param file the file
     * @param progress told how far it is; may cancel
     * @return the trace, with at least one slice
     * @throws IOException if the file cannot be read
     * @throws dev.tandem.core.UsageException if it is no trace, or holds no slice; one sentence says what it holds
     * @throws java.util.concurrent.CancellationException if the progress ended the import
     */
    Trace read(Path file, ImportProgress progress) throws IOException;
}
