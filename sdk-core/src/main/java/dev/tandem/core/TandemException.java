package dev.tandem.core;

/**
 * The one root of every failure that Tandem reports on purpose.
 *
 * <p>The family is sealed by what the caller can do about it: fix the call ({@link UsageException}), fix the set-up
 * ({@link SetupException}), look at the peer that went away ({@link PeerLostException}), look at who did not answer
 * ({@link TimedOutException}) or look at the first cause elsewhere in the job ({@link JobAbortedException}).
 *
 * <p>A message is one sentence of the form {@code what: name=value, limit=value; do this}, complete without the stack
 * trace, which the command line shows with {@code --verbose} only.
 */
public abstract sealed class TandemException extends RuntimeException
        permits UsageException, SetupException, PeerLostException, TimedOutException, JobAbortedException {

    private static final long serialVersionUID = 1L;

    TandemException(String message, Throwable cause) {
        super(message, cause);
    }
}
