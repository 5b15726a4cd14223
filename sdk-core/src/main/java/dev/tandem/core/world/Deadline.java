package dev.tandem.core.world;

/**
 * The moment after which a wait gives up.
 *
 * <p>A deadline of an unlimited timeout never passes. Immutable and thread-safe.
 */
public final class Deadline {

    private static final long NEVER = Long.MAX_VALUE;

    private final long startNs;
    private final long timeoutNs;

    private Deadline(long startNs, long timeoutNs) {
        this.startNs = startNs;
        this.timeoutNs = timeoutNs;
    }

    /**
     * Starts a deadline now.
     *
     * @param timeoutNs nanoseconds from now; 0 means that it never passes
     * @return the deadline
     */
    public static Deadline in(long timeoutNs) {
        return new Deadline(System.nanoTime(), timeoutNs <= 0 ? NEVER : timeoutNs);
    }

    /**
     * Says whether the deadline has passed.
     *
     * @return true once the timeout is over
     */
    public boolean passed() {
        return timeoutNs != NEVER && elapsedNs() >= timeoutNs;
    }

    /**
     * Says how long the wait has lasted.
     *
     * @return nanoseconds since the deadline was started
     */
    public long elapsedNs() {
        return System.nanoTime() - startNs;
    }

    /**
     * Says how much time is left.
     *
     * @return nanoseconds, never negative; {@link Long#MAX_VALUE} if the deadline never passes
     */
    public long remainingNs() {
        return timeoutNs == NEVER ? NEVER : Math.max(0, timeoutNs - elapsedNs());
    }
}
