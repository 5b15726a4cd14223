package dev.tandem.core.device;

import dev.tandem.core.Check;
import dev.tandem.core.TandemException;
import java.util.Locale;

/**
 * One piece of work on a stream, to wait for and to time.
 *
 * <p>Thread-safe. What the work did is visible to a thread for which {@link #done()} returned true or {@link #await()}
 * returned.
 */
public final class Event {

    /** How far the work is. */
    enum State {
        QUEUED, RUNNING, DONE, FAILED
    }

    private final Stream stream;
    private final String what;
    private final long number;
    private long startNs;
    private long endNs;
    private volatile State state = State.QUEUED;

    Event(Stream stream, String what, long number) {
        this.stream = stream;
        this.what = what;
        this.number = number;
    }

    /**
     * Says what the work is.
     *
     * @return the text it was enqueued with
     */
    public String what() {
        return what;
    }

    /**
     * Gives the stream that the work is on.
     *
     * @return the stream
     */
    public Stream stream() {
        return stream;
    }

    /**
     * Says whether the work is over, without waiting.
     *
     * @return true once it has run to its end, has failed, or will not run because the stream failed before
     */
    public boolean done() {
        return state == State.DONE || state == State.FAILED;
    }

    /**
     * Waits until the work is over. The wait is bounded by the world's timeout, which starts afresh whenever work of this
     * stream ends or {@linkplain Stream#advance() advances}.
     *
     * @throws TandemException if the work or work before it on the stream has failed, with that as the cause; if the job came down; if
     *     the time was up; or if a task of the same stream waits, which would be for ever
     */
    public void await() {
        stream.await(this);
    }

    /**
     * Says when the work began, by the clock of the device.
     *
     * @return nanoseconds, as {@link Device#nowNs()}
     * @throws dev.tandem.core.UsageException if the work has not run to its end
     */
    public long startNs() {
        checkRun();
        return startNs;
    }

    /**
     * Says when the work ended, by the clock of the device.
     *
     * @return nanoseconds, as {@link Device#nowNs()}
     * @throws dev.tandem.core.UsageException if the work has not run to its end
     */
    public long endNs() {
        checkRun();
        return endNs;
    }

    /**
     * Says how long it took from the end of earlier work to the end of this.
     *
     * @param from the earlier work, of any stream of the same device
     * @return nanoseconds; negative if this ended first
     * @throws dev.tandem.core.UsageException if either has not run to its end or the devices differ
     */
    public long elapsedNs(Event from) {
        stream.device().checkOwn(from);
        return endNs() - from.endNs();
    }

    /** What and where, such as {@code 'multiply' (7 of stream compute, done)}. */
    @Override
    public String toString() {
        return "'" + what + "' (" + number + " of stream " + stream.name() + ", "
                + state.name().toLowerCase(Locale.ROOT) + ")";
    }

    State state() {
        return state;
    }

    /** When it began to run; for messages, with the stream's lock held. */
    long beganNs() {
        return startNs;
    }

    void begin(long nowNs) {
        startNs = nowNs;
        state = State.RUNNING;
    }

    void end(long nowNs) {
        endNs = nowNs;
        state = State.DONE;
    }

    void fail() {
        state = State.FAILED;
    }

    private void checkRun() {
        Check.that(state == State.DONE, "no time of " + this + "; await it first");
    }
}
