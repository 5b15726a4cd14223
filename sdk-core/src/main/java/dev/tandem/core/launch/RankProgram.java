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
}
