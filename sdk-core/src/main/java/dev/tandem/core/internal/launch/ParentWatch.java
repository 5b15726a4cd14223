package dev.tandem.core.internal.launch;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Ends a rank's process when its launcher is gone, however that died.
 *
 * <p>The launcher holds the other end of the rank's standard input and never writes to it, so the input ends when, and
 * only when, the launcher does.
 */
final class ParentWatch implements Runnable {

    /** How long an orderly shutdown may take. */
    private static final long GRACE_NS = 700_000_000L;

    private ParentWatch() {
    }

    /** Starts to watch. */
    static void start() {
        Thread.ofPlatform().daemon().name("tandem-parent-watch").start(new ParentWatch());
    }

    @Override
    public void run() {
        // Not System.in: a program may have replaced or wrapped that.
        try (InputStream input = new FileInputStream(FileDescriptor.in)) {
            byte[] ignored = new byte[64];
            while (input.read(ignored) >= 0) {
                // Nothing is ever sent; whatever comes is no sign of an end.
            }
        } catch (IOException e) {
            // A broken pipe says the same as an ended one.
        }
        Halt.in(GRACE_NS, ExitStatus.INTERRUPTED);
        Halt.exit(ExitStatus.INTERRUPTED);
    }
}
