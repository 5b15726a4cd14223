package dev.tandem.core.internal.launch;

/**
 * How a rank ended.
 *
 * @param status what its program returned, or the status of its failure; 0 for success
 * @param failure what went wrong; null if the program ended by itself
 */
record RankOutcome(int status, Throwable failure) {

    /** Says whether the rank ended well. */
    boolean ok() {
        return status == ExitStatus.OK;
    }

    /** Says whether the rank only followed another rank's failure. */
    boolean elsewhere() {
        return failure != null && ExitStatus.elsewhere(failure);
    }
}
