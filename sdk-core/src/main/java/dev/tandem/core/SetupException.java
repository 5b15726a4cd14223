package dev.tandem.core;

/** The call is right but the machine or the environment does not allow it: a variable is missing, a port is taken, shared memory is full. Fix the set-up. */
public final class SetupException extends TandemException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message one sentence: what, which value, what to do
     */
    public SetupException(String message) {
        super(message, null);
    }

    /**
     * Creates the exception with the failure that led to it.
     *
     * @param message one sentence: what, which value, what to do
     * @param cause what happened underneath
     */
    public SetupException(String message, Throwable cause) {
        super(message, cause);
    }
}
