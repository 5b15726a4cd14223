package dev.tandem.profiler.internal.chrome;

import dev.tandem.profiler.trace.ImportProgress;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CancellationException;

/** Reports how much was read, and ends the reading if the import is cancelled. */
final class ReportingStream extends FilterInputStream {

    private static final long STEP_BYTES = 1 << 18;

    private final long totalBytes;
    private final ImportProgress progress;
    private long readBytes;
    private long nextReport;

    ReportingStream(InputStream in, long totalBytes, ImportProgress progress) {
        super(in);
        this.totalBytes = totalBytes;
        this.progress = progress;
    }

    @Override
    public int read() throws IOException {
        int value = super.read();
        report(value < 0 ? 0 : 1, value < 0);
        return value;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = super.read(buffer, offset, length);
        report(Math.max(0, count), count < 0);
        return count;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private void report(int count, boolean ends) {
        readBytes += count;
        if (readBytes >= nextReport || ends) {
            nextReport = readBytes + STEP_BYTES;
            if (!progress.read(readBytes, Math.max(readBytes, totalBytes))) {
                throw new CancellationException(
                        "import cancelled: readBytes=" + readBytes + ", totalBytes=" + totalBytes);
            }
        }
    }
}
