package dev.tandem.core.internal.launch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Carries one output stream of a rank to the console in whole lines.
 *
 * <p>Run by one thread. A last line without a line end gets one. A line longer than
 * {@link #LONGEST} bytes is passed on in pieces, so that a rank that never ends its line cannot fill the memory.
 */
final class Lines implements Runnable {

    /** Longest line that is kept whole, in bytes. */
    static final int LONGEST = 1 << 20;

    private final InputStream source;
    private final Console console;
    private final boolean standardError;
    private final String prefix;
    private final RecentLines recent;
    private final Consumer<FailureReport> reports;
    private byte[] partial = new byte[512];
    private int partialLength;

    /** Carries {@code source}, which is UTF-8, to a stream of the console, each line behind {@code prefix}. */
    Lines(
            InputStream source,
            Console console,
            boolean standardError,
            String prefix,
            RecentLines recent,
            Consumer<FailureReport> reports) {
        this.source = source;
        this.console = console;
        this.standardError = standardError;
        this.prefix = prefix;
        this.recent = recent;
        this.reports = reports;
    }

    /** Carries until the source ends. */
    @Override
    public void run() {
        byte[] chunk = new byte[1 << 14];
        try (source) {
            for (int read = source.read(chunk); read >= 0; read = source.read(chunk)) {
                accept(chunk, read);
            }
        } catch (IOException e) {
            // A stream that breaks is one that ended: the process is gone, and its exit status says how.
            recent.add("(output lost: " + e.getMessage() + ")");
        }
        StringBuilder lines = new StringBuilder();
        if (partialLength > 0) {
            endLine(lines);
        }
        console.write(console.stream(standardError), lines.toString());
    }

    private void accept(byte[] chunk, int length) {
        StringBuilder lines = new StringBuilder();
        int start = 0;
        for (int i = 0; i < length; i++) {
            if (chunk[i] == '\n') {
                append(chunk, start, i);
                endLine(lines);
                start = i + 1;
            }
        }
        append(chunk, start, length);
        if (partialLength >= LONGEST) {
            endLine(lines);
        }
        if (lines.length() > 0) {
            console.write(console.stream(standardError), lines.toString());
        }
    }

    private void append(byte[] chunk, int start, int end) {
        int needed = partialLength + end - start;
        if (needed > partial.length) {
            partial = Arrays.copyOf(partial, Math.max(needed, partial.length * 2));
        }
        System.arraycopy(chunk, start, partial, partialLength, end - start);
        partialLength = needed;
    }

    private void endLine(StringBuilder lines) {
        int length = partialLength > 0 && partial[partialLength - 1] == '\r' ? partialLength - 1 : partialLength;
        String line = new String(partial, 0, length, StandardCharsets.UTF_8);
        partialLength = 0;
        Optional<FailureReport> report = standardError ? FailureReport.ofLine(line) : Optional.empty();
        if (report.isPresent()) {
            reports.accept(report.get());
            return;
        }
        recent.add(line);
        lines.append(prefix).append(line).append(System.lineSeparator());
    }
}
