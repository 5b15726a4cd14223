package dev.tandem.core;

/** A wait passed its deadline. The message says what was waited for, the value seen, the value wanted and who was to provide it. */
public final class TimedOutException extends TandemException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message one sentence: what, which value, what to do
     */
    public TimedOutException(String message) {
        super(message, null);
    }

    /**
     * Creates the exception with the failure that led to it.
     *
     * @param message one sentence: what, which value, what to do
     * @param cause what happened underneath
     */
    public TimedOutException(String message, Throwable cause) {
        super(message, cause);
    }
}
