package dev.tandem.core.launch;

/**
 * What every rank of a job runs. The class is a picocli {@code @Command} whose options are the program's own; each rank
 * gets an instance of its own, parsed from the same arguments, in process mode and in in-process mode alike.
 */
public interface RankProgram {

    /**
     * Runs this rank.
     *
     * @param rank this rank's world, objects and output
     * @return 0 for success; anything else makes the job fail and is the rank's exit status in process mode
     * @throws Exception brings the whole job down, with this as the cause
     */
    int run(RankContext rank) throws Exception;

    /**
     * Checks the options before any rank runs, so that a wrong command line is refused once and at once. Called on an
     * instance of its own by the launching process, and by each rank that another launcher has started.
     *
     * @param ranks how many ranks the job will have
     * @throws dev.tandem.core.UsageException with one sentence about the first option that cannot be; the exit status is 2
     */
    default void check(int ranks) {
    }
}
