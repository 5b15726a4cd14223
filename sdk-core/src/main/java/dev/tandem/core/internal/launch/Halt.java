package dev.tandem.core.internal.launch;

import dev.tandem.core.AllowedApi;
import java.util.concurrent.locks.LockSupport;

/**
 * How this process ends: the one class that may end the JVM, in good order or, as the last resort against a rank that does
 * not end, without it.
 *
 * <p>A rank's main thread may be inside native code when its job comes down, where no exception reaches it; shutdown hooks
 * may hang as well. So whoever begins the end of a process sets this clock first. Thread-safe.
 */
@AllowedApi("the one place where the JVM ends")
public final class Halt {

    private final int status;

    private Halt(int status) {
        this.status = status;
    }

    /**
     * Ends this JVM in good order. Does not return.
     *
     * @param status the exit status
     */
    public static void exit(int status) {
        System.exit(status);
    }

    /** Ends this JVM with {@code status} in {@code graceNs} nanoseconds, unless it has ended by then. Returns at once. */
    static void in(long graceNs, int status) {
        Halt halt = new Halt(status);
        long endNs = System.nanoTime() + graceNs;
        Thread.ofPlatform().daemon().name("tandem-halt").start(() -> halt.at(endNs));
    }

    /** Ends this JVM at once, without its orderly shutdown. */
    static void now(int status) {
        Runtime.getRuntime().halt(status);
    }

    private void at(long endNs) {
        for (long left = endNs - System.nanoTime(); left > 0; left = endNs - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        now(status);
    }
}
