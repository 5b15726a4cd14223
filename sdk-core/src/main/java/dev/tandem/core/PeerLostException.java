package dev.tandem.core;

/** Another rank of the job is gone: it died, or its connection broke. The message names the rank. */
public final class PeerLostException extends TandemException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message one sentence: what, which value, what to do
     */
    public PeerLostException(String message) {
        super(message, null);
    }

    /**
     * Creates the exception with the failure that led to it.
     *
     * @param message one sentence: what, which value, what to do
     * @param cause what happened underneath
     */
    public PeerLostException(String message, Throwable cause) {
        super(message, cause);
    }
}
