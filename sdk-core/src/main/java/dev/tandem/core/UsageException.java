package dev.tandem.core;

/** The call is wrong, whatever the machine: an argument out of range, a closed object, ranks that disagree about a collective. Fix the call. */
public final class UsageException extends TandemException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message one sentence: what, which value, what to do
     */
    public UsageException(String message) {
        super(message, null);
    }

    /**
     * Creates the exception with the failure that led to it.
     *
     * @param message one sentence: what, which value, what to do
     * @param cause what happened underneath
     */
    public UsageException(String message, Throwable cause) {
        super(message, cause);
    }
}
