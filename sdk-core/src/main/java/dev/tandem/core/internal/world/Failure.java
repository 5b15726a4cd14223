package dev.tandem.core.internal.world;

import dev.tandem.core.JobAbortedException;
import dev.tandem.core.PeerLostException;
import dev.tandem.core.SetupException;
import dev.tandem.core.TandemException;
import dev.tandem.core.TimedOutException;
import dev.tandem.core.UsageException;

/**
 * Why a job comes down: the first cause, as every rank hears of it.
 *
 * @param kind what a caller can do about it
 * @param sentence the whole message
 */
record Failure(Kind kind, String sentence) {

    /** The longest sentence, in characters. */
    static final int MAX_SENTENCE = 4000;

    Failure {
        if (sentence.length() > MAX_SENTENCE) {
            sentence = sentence.substring(0, MAX_SENTENCE - 2) + " …";
        }
    }

    /** What went wrong. The order is part of the wire format. */
    enum Kind {
        /** A rank failed; the others only hear of it. */
        ABORTED,
        /** A rank died or left too early. */
        PEER_LOST,
        /** A rank did not come in time. */
        TIMED_OUT,
        /** Ranks disagree. */
        USAGE,
        /** Ranks cannot meet. */
        SETUP
    }

    /** Words the failure of a rank that has thrown something. */
    static Failure thrownBy(int rank, Throwable cause) {
        String text = cause instanceof TandemException && cause.getMessage() != null
                ? cause.getMessage()
                : cause.toString();
        return new Failure(cause instanceof PeerLostException ? Kind.PEER_LOST : Kind.ABORTED,
                "rank " + rank + " failed: " + text);
    }

    static Failure lost(int rank, String how) {
        return new Failure(Kind.PEER_LOST,
                "rank " + rank + " is lost: " + how + "; see what that rank has printed last");
    }

    /** Gives what a wait outside of collectives throws. */
    TandemException asAbort() {
        return kind == Kind.PEER_LOST ? new PeerLostException(sentence) : new JobAbortedException(sentence);
    }

    /** Gives what the joining or a collective throws. */
    TandemException asFailure() {
        return switch (kind) {
            case ABORTED -> new JobAbortedException(sentence);
            case PEER_LOST -> new PeerLostException(sentence);
            case TIMED_OUT -> new TimedOutException(sentence);
            case USAGE -> new UsageException(sentence);
            case SETUP -> new SetupException(sentence);
        };
    }
}
