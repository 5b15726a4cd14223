package dev.tandem.core.world;

import dev.tandem.core.Check;
import java.util.Map;
import java.util.Optional;

/**
 * What a launcher tells a process about its place in the job, read once from the process's environment.
 *
 * <p>These are understood, and where several are there the first of them counts: Tandem's own launcher, torchrun, plain
 * {@code RANK} and {@code WORLD_SIZE}, Open MPI, PMIx, Slurm's {@code srun}. Plain variables beside Open MPI, PMIx or
 * Slurm must say the same; a torchrun or Tandem launcher started by one of these counts alone, since it is the inner one.
 * A Slurm batch script, an interactive allocation and {@code srun --pty} are no ranks, although Slurm sets rank variables
 * there: the program launches its own.
 *
 * <p>Where rank 0 listens:
 * <table>
 * <caption>The rendezvous address, the first that is given</caption>
 * <tr><th>source</th><th>address</th><th>port</th></tr>
 * <tr><td>command line</td><td>{@code --master-addr}</td><td>{@code --master-port}</td></tr>
 * <tr><td>{@code TANDEM_RENDEZVOUS=host:port}</td><td>host</td><td>port</td></tr>
 * <tr><td>variables</td><td>{@code MASTER_ADDR}</td><td>{@code MASTER_PORT}; the next one (the one before 65535) if
 * {@code TORCHELASTIC_USE_AGENT_STORE=True}, since torchrun's agent then listens at {@code MASTER_PORT} itself</td></tr>
 * <tr><td>by rule</td><td>127.0.0.1 if all ranks are on one machine; else the first node of the Slurm step</td>
 * <td>Open MPI, PMIx and Slurm: 20000 to 29999, {@link #portOf(String) made from the job's name}</td></tr>
 * </table>
 *
 * <p>Immutable and thread-safe.
 *
 * @param rank this process's rank, 0 to {@code worldSize - 1}
 * @param worldSize how many ranks the job has
 * @param localRank this process's rank among those of its machine, 0 to {@code localWorldSize - 1}
 * @param localWorldSize how many of the ranks run on this machine
 * @param masterAddress host name or address at which rank 0 listens
 * @param masterPort port at which rank 0 listens, 1 to 65535
 * @param launcher who has started the process
 * @param jobName how the launcher calls the job: {@code TANDEM_JOB}, {@code TORCHELASTIC_RUN_ID},
 *            {@code PMIX_NAMESPACE}, or Slurm's job and step; empty if nothing names it. Ranks with different job names do
 *            not join each other
 */
public record RankEnvironment(
        int rank,
        int worldSize,
        int localRank,
        int localWorldSize,
        String masterAddress,
        int masterPort,
        Launcher launcher,
        String jobName) {

    /** The most ranks that a job may have. */
    public static final int MAX_WORLD_SIZE = 4096;

    private static final int FIRST_RULE_PORT = 20_000;
    private static final int RULE_PORTS = 10_000;

    /** Who starts ranks. */
    public enum Launcher {
        /** Tandem's own: {@code tandem run}, or a program started bare. */
        TANDEM("Tandem"),
        /** PyTorch's torchrun. */
        TORCHRUN("torchrun"),
        /** Somebody who sets {@code RANK}, {@code WORLD_SIZE} and their friends. */
        VARIABLES("RANK and WORLD_SIZE"),
        /** Open MPI's mpirun. */
        OPEN_MPI("Open MPI"),
        /** A launcher that speaks PMIx. */
        PMIX("PMIx"),
        /** Slurm's srun. */
        SLURM("Slurm");

        private final String label;

        Launcher(String label) {
            this.label = label;
        }

        /**
         * Names the launcher in messages.
         *
         * @return its usual name
         */
        public String label() {
            return label;
        }
    }

    /**
     * Checks the values.
     *
     * @throws dev.tandem.core.UsageException if a value is out of its range
     */
    public RankEnvironment {
        Check.positive(worldSize, "worldSize");
        Check.that(worldSize <= MAX_WORLD_SIZE, "too many ranks: worldSize=" + worldSize + ", limit=" + MAX_WORLD_SIZE
                + "; start fewer");
        Check.index(rank, worldSize, "rank");
        Check.positive(localWorldSize, "localWorldSize");
        Check.index(localRank, localWorldSize, "localRank");
        Check.that(localWorldSize <= worldSize, "more ranks on this machine than there are: localWorldSize="
                + localWorldSize + ", worldSize=" + worldSize + "; correct one of them");
        Check.that(!Check.notNull(masterAddress, "masterAddress").isBlank(),
                "no address: masterAddress is blank; pass a host name or address");
        Check.that(masterPort >= 1 && masterPort <= 65_535,
                "no port: masterPort=" + masterPort + "; pass 1 to 65535");
        Check.notNull(launcher, "launcher");
        Check.that(Check.notNull(jobName, "jobName").length() <= 512,
                "job name too long: length=" + jobName.length() + ", limit=512; choose a shorter one");
    }

    /**
     * Reads the environment of a process.
     *
     * @param variables the process's environment variables
     * @return its place in the job; empty if no launcher has started it, so that the program starts its own ranks
     * @throws dev.tandem.core.SetupException if a variable is missing, is not what it should be, or contradicts another;
     *         the message names it and says what to do
     */
    public static Optional<RankEnvironment> find(Map<String, String> variables) {
        return find(variables, null, 0);
    }

    /**
     * Reads the environment of a process whose command line says where rank 0 listens.
     *
     * @param variables the process's environment variables
     * @param masterAddress {@code --master-addr}; null if not given
     * @param masterPort {@code --master-port}; 0 if not given
     * @return its place in the job; empty if no launcher has started it, so that the program starts its own ranks
     * @throws dev.tandem.core.SetupException if a variable is missing, is not what it should be, or contradicts another;
     *         the message names it and says what to do
     */
    public static Optional<RankEnvironment> find(
            Map<String, String> variables, String masterAddress, int masterPort) {
        return new RankVariables(Check.notNull(variables, "variables"), masterAddress, masterPort).read();
    }

    /**
     * Gives the port that Open MPI, PMIx and Slurm jobs meet at unless one is given: below the range that systems take
     * ports from by themselves, and the same on all ranks. Two jobs on one machine may, rarely, get the same; the later one
     * then ends with a message that says so.
     *
     * @param jobName how the launcher calls the job
     * @return 20000 to 29999
     */
    public static int portOf(String jobName) {
        return FIRST_RULE_PORT + Math.floorMod(jobName.hashCode() * 0x9E3779B1, RULE_PORTS);
    }

    /**
     * Says whether all ranks of the job run on this machine.
     *
     * @return true if they do
     */
    public boolean oneMachine() {
        return localWorldSize == worldSize;
    }
}
