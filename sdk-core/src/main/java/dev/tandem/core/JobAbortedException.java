package dev.tandem.core;

/** The job was brought down by a failure elsewhere; the message repeats that first cause and names its rank. */
public final class JobAbortedException extends TandemException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message one sentence: what, which value, what to do
     */
    public JobAbortedException(String message) {
        super(message, null);
    }

    /**
     * Creates the exception with the failure that led to it.
     *
     * @param message one sentence: what, which value, what to do
     * @param cause what happened underneath
     */
    public JobAbortedException(String message, Throwable cause) {
        super(message, cause);
    }
}
