package dev.tandem.shmem;

/**
 * Proof that a wait or a barrier was passed. What it protects is read through a view that takes the token, so that reading
 * without waiting does not compile. Only waits and barriers give one; it carries no data and is shared.
 */
public final class Token {

    /** The one token of all passed waits: it stands for the acquire that the wait has done, not for a value. */
    static final Token PASSED = new Token();

    private Token() {
    }
}
