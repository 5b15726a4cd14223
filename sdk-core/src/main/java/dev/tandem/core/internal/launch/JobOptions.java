package dev.tandem.core.internal.launch;

import dev.tandem.core.UsageException;
import dev.tandem.core.launch.JobSettings;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/**
 * The options that every program takes beside its own, as text; {@link #validate()} turns them into a {@link JobPlan}.
 *
 * <p>A picocli mixin. The {@code TANDEM_…} variables are defaults: an option on the command line wins.
 */
public final class JobOptions {

    /** Most ranks that one command starts. */
    static final int MOST_RANKS = 1024;

    /** Ranks that a program starts if it is not told how many: enough to communicate. */
    static final String DEFAULT_RANKS = "2";

    @ArgGroup(validate = false, heading = "%nJob:%n", order = 90)
    private Job job = new Job();

    /** The options, in a group of their own so that help lists them under their own heading. */
    static final class Job {

        @Option(names = "--nproc-per-node", paramLabel = "N", description = "Ranks to start on this machine (default: "
                + DEFAULT_RANKS + ").")
        private String ranks;

        @Option(names = "--mode", paramLabel = "MODE", defaultValue = "${env:TANDEM_MODE:-process}", description = "process: one JVM a rank. inproc: all ranks in this JVM, for a debugger"
                + " (default: ${DEFAULT-VALUE}).")
        private String mode = "process";

        @Option(names = "--heap", paramLabel = "SIZE", defaultValue = "${env:TANDEM_HEAP:-auto}", description = "Symmetric heap of each rank, such as 64MiB or 3GB; auto: what the machine allows"
                + " (default: ${DEFAULT-VALUE}).")
        private String heap = "auto";

        @Option(names = "--cores", paramLabel = "N", defaultValue = "${env:TANDEM_CORES:-auto}", description = "Logical AI cores of each rank's device (default: ${DEFAULT-VALUE}).")
        private String cores = "auto";

        @Option(names = "--timeout", paramLabel = "TIME", defaultValue = "${env:TANDEM_TIMEOUT:-1min}", description = "Longest wait, such as 30s or 500ms; 0: for ever (default: ${DEFAULT-VALUE}).")
        private String timeout = "1min";

        @Option(names = "--master-addr", paramLabel = "HOST", description = "Where rank 0 listens for the others (default: "
                + JobPlan.THIS_MACHINE + ").")
        private String masterAddress;

        @Option(names = "--master-port", paramLabel = "PORT", defaultValue = "auto", description = "Its port (default: ${DEFAULT-VALUE}, a free one).")
        private String masterPort = "auto";

        @Option(names = "--tag-output", description = "Put [rank R] before each line that rank R writes.")
        private boolean tagOutput;

        @Option(names = "--verbose", description = "Show where failures come from.")
        private boolean verbose;
    }

    @Option(names = {"-h", "--help"}, usageHelp = true, order = 98, description = "Show this help and exit.")
    private boolean help;

    @Option(names = {"-V", "--version"}, versionHelp = true, order = 99, description = "Show the version and exit.")
    private boolean version;

    /** Creates options that have their defaults until a command line is parsed into them. */
    public JobOptions() {
        // For picocli, and for those who add these options to a command of their own.
    }

    /**
     * Says whether a failure's origin is to be shown.
     *
     * @return true with {@code --verbose}
     */
    public boolean verbose() {
        return job.verbose;
    }

    /**
     * Says whether the command line gives the number of ranks.
     *
     * @return true with {@code --nproc-per-node}
     */
    boolean ranksGiven() {
        return job.ranks != null;
    }

    /**
     * Checks every option, and the relations between them.
     *
     * @return the job asked for
     * @throws UsageException with one sentence about the first option that cannot be
     */
    public JobPlan validate() {
        int ranks = (int) whole(job.ranks == null ? DEFAULT_RANKS : job.ranks, "--nproc-per-node", "ranks", 1,
                MOST_RANKS);
        JobPlan.Mode mode = JobPlan.Mode.of(job.mode);
        long timeoutNs = Quantities.nanoseconds(job.timeout, "--timeout");
        long heapBytes = 0;
        if (!isAuto(job.heap)) {
            heapBytes = Quantities.bytes(job.heap, "--heap");
            if (heapBytes == 0) {
                throw new UsageException("not positive: --heap=" + job.heap + "; give a size such as 64MiB, or auto");
            }
        }
        int cores = isAuto(job.cores) ? 0 : (int) whole(job.cores, "--cores", "logical cores", 1, 4096);
        int port = isAuto(job.masterPort) ? 0 : (int) whole(job.masterPort, "--master-port", "a port", 1, 65_535);
        String address = job.masterAddress == null ? null : job.masterAddress.strip();
        if (address != null && address.isEmpty()) {
            throw new UsageException("empty: --master-addr=; give a host name or an address of this machine");
        }
        JobSettings settings = new JobSettings(timeoutNs, heapBytes, cores);
        return new JobPlan(ranks, mode, settings, address, port, job.tagOutput, job.verbose);
    }

    private static boolean isAuto(String text) {
        return "auto".equalsIgnoreCase(text.strip());
    }

    private static long whole(String text, String name, String what, long least, long most) {
        long value;
        try {
            value = Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw new UsageException("not a number: " + name + "=" + text + "; give a whole number from " + least
                    + " to " + most, e);
        }
        if (value < least || value > most) {
            throw new UsageException("out of range: " + name + "=" + value + ", limit=" + least + " to " + most
                    + "; give a number of " + what + " within it");
        }
        return value;
    }
}
