package dev.tandem.core.world;

/**
 * What a rank knows of its job: who it is, how many there are, whether all are alive, and how to stop everyone.
 *
 * <p>Thread-safe. One instance a rank; in in-process mode one JVM holds several.
 */
public interface World {

    /**
     * Says which rank this is.
     *
     * @return 0 to {@code size() - 1}
     */
    int rank();

    /**
     * Says how many ranks the job has.
     *
     * @return at least 1
     */
    int size();

    /**
     * Says which rank of this machine this is.
     *
     * @return 0 to {@code localSize() - 1}
     */
    int localRank();

    /**
     * Says how many ranks run on this machine.
     *
     * @return at least 1
     */
    int localSize();

    /**
     * Names the job; equal on all ranks, different for any two jobs, safe as part of a file name.
     *
     * @return letters, digits and {@code -}
     */
    String jobId();

    /**
     * Gives the bootstrap collectives over all ranks.
     *
     * @return the group
     */
    ProcessGroup group();

    /**
     * Starts the deadline of one wait. It never passes while a debugger is attached to any rank or when the job runs
     * with timeout 0.
     *
     * @return a deadline that starts now
     */
    Deadline deadline();

    /**
     * Fails if the job is coming down. Cheap enough (one volatile read) for every turn of a waiting loop; every wait of
     * Tandem calls it.
     *
     * @throws dev.tandem.core.JobAbortedException with the first cause, if some rank failed
     * @throws dev.tandem.core.PeerLostException if the first cause is that a rank died
     */
    void checkAlive();

    /**
     * Says whether the job is coming down.
     *
     * @return true after the first failure anywhere was heard of
     */
    boolean aborted();

    /**
     * Brings the whole job down: every wait of every rank fails within a second. Only the first cause counts; later calls
     * change nothing. Returns at once.
     *
     * @param cause what went wrong on this rank
     */
    void abort(Throwable cause);

    /**
     * Runs an action when the job comes down, at once if it already is. For things that do not poll
     * {@link #checkAlive()}, such as parked threads. Actions run on a thread of the world and must not block.
     *
     * @param action what to do
     */
    void onAbort(Runnable action);
}
