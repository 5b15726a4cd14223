package dev.tandem.core.world;

import dev.tandem.core.SetupException;
import dev.tandem.core.world.RankEnvironment.Launcher;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a {@link RankEnvironment} from variables. Used once. */
final class RankVariables {

    private static final int UNKNOWN = -1;
    private static final List<String> PLAIN = List.of("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE");
    /** Slurm's steps that are no tasks of srun (batch script, interactive shell and others) count from here. */
    private static final long FIRST_SPECIAL_STEP = 0xFFFF_FFF0L;

    private final Map<String, String> variables;
    private final String givenAddress;
    private final int givenPort;

    RankVariables(Map<String, String> variables, String givenAddress, int givenPort) {
        this.variables = variables;
        this.givenAddress = givenAddress;
        this.givenPort = givenPort;
    }

    /** A number and the variable that says so. */
    private record Number(String variable, int value) {

        static final Number NONE = new Number("", UNKNOWN);

        boolean known() {
            return value != UNKNOWN;
        }

        Number or(Number other) {
            return known() ? this : other;
        }

        @Override
        public String toString() {
            return variable + "=" + value;
        }
    }

    /** What one launcher says. */
    private record Claim(Launcher launcher, Number rank, Number size, Number localRank, Number localSize, String job) {
    }

    Optional<RankEnvironment> read() {
        boolean anyPlain = PLAIN.stream().anyMatch(this::has);
        boolean inner = has("TANDEM_LAUNCHER") || has("TORCHELASTIC_RUN_ID");
        Claim outer = inner ? null : outer();
        if (outer == null) {
            if (!anyPlain) {
                return Optional.empty();
            }
            return Optional.of(environment(complete(plain())));
        }
        return Optional.of(environment(complete(anyPlain ? merge(plain(), outer) : outer)));
    }

    private Claim outer() {
        if (has("OMPI_COMM_WORLD_RANK") || has("OMPI_COMM_WORLD_SIZE")) {
            return openMpi();
        }
        Claim slurm = slurm();
        if (has("PMIX_RANK")) {
            Claim pmix = new Claim(Launcher.PMIX, number("PMIX_RANK"), Number.NONE, Number.NONE, Number.NONE,
                    text("PMIX_NAMESPACE"));
            return slurm == null ? pmix : merge(slurm, pmix);
        }
        return slurm;
    }

    private Claim plain() {
        Launcher launcher = has("TANDEM_LAUNCHER")
                ? Launcher.TANDEM
                : has("TORCHELASTIC_RUN_ID") ? Launcher.TORCHRUN : Launcher.VARIABLES;
        return new Claim(launcher, number("RANK"), number("WORLD_SIZE"), number("LOCAL_RANK"),
                number("LOCAL_WORLD_SIZE"), launcher == Launcher.TORCHRUN ? text("TORCHELASTIC_RUN_ID") : "");
    }

    private Claim openMpi() {
        return new Claim(Launcher.OPEN_MPI, required("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
                required("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"), number("OMPI_COMM_WORLD_LOCAL_RANK"),
                number("OMPI_COMM_WORLD_LOCAL_SIZE"),
                has("PMIX_NAMESPACE") ? text("PMIX_NAMESPACE") : text("OMPI_MCA_ess_base_jobid"));
    }

    private Claim slurm() {
        String step = has("SLURM_STEP_ID") ? text("SLURM_STEP_ID") : text("SLURM_STEPID");
        if (step.isEmpty() || !has("SLURM_PROCID") || has("SLURM_PTY_PORT") || special(step)) {
            return null;
        }
        Number size = number("SLURM_STEP_NUM_TASKS").or(number("SLURM_NTASKS")).or(number("SLURM_NPROCS"));
        if (!size.known()) {
            throw missing("SLURM_NTASKS", "SLURM_PROCID");
        }
        return new Claim(Launcher.SLURM, number("SLURM_PROCID"), size, number("SLURM_LOCALID"),
                slurmLocalSize(size.value()), "slurm-" + text("SLURM_JOB_ID") + "-" + step);
    }

    private static boolean special(String step) {
        try {
            return Long.parseLong(step) >= FIRST_SPECIAL_STEP;
        } catch (NumberFormatException e) {
            return true;
        }
    }

    private Number slurmLocalSize(int size) {
        for (String name : List.of("SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE")) {
            if (has(name)) {
                int node = number("SLURM_NODEID").or(new Number("SLURM_NODEID", 0)).value();
                return new Number(name, tasksOf(node, name));
            }
        }
        if (number("SLURM_STEP_NUM_NODES").or(number("SLURM_NNODES")).value() == 1) {
            return new Number("SLURM_NNODES", size);
        }
        return number("SLURM_NTASKS_PER_NODE");
    }

    /** Slurm writes tasks per node as {@code 4(x2),3}: two nodes of four, one of three. */
    private int tasksOf(int node, String name) {
        int at = 0;
        try {
            for (String part : text(name).split(",")) {
                int brace = part.indexOf("(x");
                int tasks = Integer.parseInt(brace < 0 ? part : part.substring(0, brace));
                at += brace < 0 ? 1 : Integer.parseInt(part.substring(brace + 2, part.length() - 1));
                if (node < at) {
                    return tasks;
                }
            }
        } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
            throw new SetupException("not a list of task counts: " + name + "=" + text(name)
                    + "; Slurm writes it as 4(x2),3: start the ranks with srun", e);
        }
        throw new SetupException("node without tasks: SLURM_NODEID=" + node + ", " + name + "=" + text(name)
                + "; start the ranks with srun");
    }

    /** Joins what two launchers say about one process; the first one counts where they agree. */
    private static Claim merge(Claim first, Claim second) {
        return new Claim(first.rank().known() && first.size().known() ? first.launcher() : second.launcher(),
                agreed(first.rank(), second.rank()), agreed(first.size(), second.size()),
                agreed(first.localRank(), second.localRank()), agreed(first.localSize(), second.localSize()),
                first.job().isEmpty() ? second.job() : first.job());
    }

    private static Number agreed(Number first, Number second) {
        if (first.known() && second.known() && first.value() != second.value()) {
            throw new SetupException("launchers disagree: " + first + ", " + second
                    + "; unset the one that did not start this rank");
        }
        return first.or(second);
    }

    private Claim complete(Claim claim) {
        if (!claim.rank().known() && !claim.size().known()) {
            throw missing("RANK and WORLD_SIZE", has("LOCAL_RANK") ? "LOCAL_RANK" : "LOCAL_WORLD_SIZE");
        }
        if (!claim.rank().known()) {
            throw missing("RANK", claim.size().variable());
        }
        if (!claim.size().known()) {
            throw missing("WORLD_SIZE", claim.rank().variable());
        }
        Number size = claim.size();
        if (size.value() < 1 || size.value() > RankEnvironment.MAX_WORLD_SIZE) {
            throw new SetupException("world size out of range: " + size + ", limit=1 to "
                    + RankEnvironment.MAX_WORLD_SIZE + "; set " + size.variable() + " to the number of ranks");
        }
        inRange(claim.rank(), size);
        Number localSize = claim.localSize();
        Number localRank = claim.localRank();
        if (!localSize.known()) {
            if (!loopback(address(true))) {
                throw missing(claim.launcher() == Launcher.OPEN_MPI ? "OMPI_COMM_WORLD_LOCAL_SIZE" : "LOCAL_WORLD_SIZE",
                        claim.rank().variable());
            }
            localSize = new Number(size.variable(), size.value());
        }
        if (!localRank.known()) {
            if (localSize.value() != size.value()) {
                throw missing("LOCAL_RANK", localSize.variable());
            }
            localRank = claim.rank();
        }
        if (localSize.value() < 1 || localSize.value() > size.value()) {
            throw new SetupException("more ranks on this machine than there are: " + localSize + ", " + size
                    + "; correct one of them");
        }
        inRange(localRank, localSize);
        return new Claim(claim.launcher(), claim.rank(), size, localRank, localSize, claim.job());
    }

    private static void inRange(Number rank, Number size) {
        if (rank.value() < 0 || rank.value() >= size.value()) {
            throw new SetupException(
                    "rank out of range: " + rank + ", " + size + "; set " + rank.variable() + " to 0 to "
                            + (size.value() - 1) + " or raise " + size.variable());
        }
    }

    private RankEnvironment environment(Claim claim) {
        boolean oneMachine = claim.localSize().value() == claim.size().value();
        String address = address(oneMachine);
        if (address == null && claim.launcher() == Launcher.SLURM) {
            address = firstHost();
        }
        if (address == null) {
            throw new SetupException("no rendezvous address: MASTER_ADDR is not set and " + claim.size() + ", "
                    + claim.localSize()
                    + " spread the ranks over machines; set MASTER_ADDR to the machine of rank 0, or"
                    + " TANDEM_RENDEZVOUS=host:port");
        }
        String job = text("TANDEM_JOB");
        if (!job.isEmpty() && !job.matches("[A-Za-z0-9-]{1,64}")) {
            throw new SetupException("not a job name: TANDEM_JOB=" + job + "; use 1 to 64 letters, digits and -");
        }
        if (job.isEmpty()) {
            job = claim.job().length() <= 512 ? claim.job() : claim.job().substring(0, 512);
        }
        return new RankEnvironment(claim.rank().value(), claim.size().value(), claim.localRank().value(),
                claim.localSize().value(), address, port(claim), claim.launcher(), job);
    }

    private String address(boolean oneMachine) {
        if (givenAddress != null) {
            return givenAddress;
        }
        if (has("TANDEM_RENDEZVOUS")) {
            String rendezvous = text("TANDEM_RENDEZVOUS");
            String host = rendezvous.substring(0, Math.max(0, rendezvous.lastIndexOf(':')));
            if (host.startsWith("[") && host.endsWith("]")) {
                host = host.substring(1, host.length() - 1);
            } else if (host.indexOf(':') >= 0) {
                throw badRendezvous();
            }
            if (host.isBlank()) {
                throw badRendezvous();
            }
            return host;
        }
        if (has("MASTER_ADDR")) {
            return text("MASTER_ADDR");
        }
        return oneMachine ? "127.0.0.1" : null;
    }

    private int port(Claim claim) {
        if (givenPort != 0) {
            if (givenPort < 0 || givenPort > 65_535) {
                throw new SetupException("not a port: --master-port=" + givenPort + "; give 1 to 65535");
            }
            return givenPort;
        }
        if (has("TANDEM_RENDEZVOUS")) {
            String rendezvous = text("TANDEM_RENDEZVOUS");
            try {
                int port = Integer.parseInt(rendezvous.substring(rendezvous.lastIndexOf(':') + 1));
                if (port >= 1 && port <= 65_535) {
                    return port;
                }
            } catch (NumberFormatException e) {
                throw badRendezvous();
            }
            throw badRendezvous();
        }
        if (has("MASTER_PORT")) {
            int port = number("MASTER_PORT").value();
            if (port < 1 || port > 65_535) {
                throw new SetupException("not a port: MASTER_PORT=" + port + "; set MASTER_PORT to 1 to 65535");
            }
            boolean agentListens = text("TORCHELASTIC_USE_AGENT_STORE").equalsIgnoreCase("true");
            return !agentListens ? port : port == 65_535 ? port - 1 : port + 1;
        }
        if (claim.launcher() == Launcher.TORCHRUN || claim.job().isEmpty()) {
            throw new SetupException("no rendezvous port: MASTER_PORT is not set beside " + claim.rank()
                    + "; set MASTER_PORT to one free port on all ranks, or TANDEM_RENDEZVOUS=host:port");
        }
        return RankEnvironment.portOf(claim.job());
    }

    /** Slurm writes nodes as {@code node[01-04,07],other}; rank 0 is on the first. */
    private String firstHost() {
        String nodes = has("SLURM_STEP_NODELIST") ? text("SLURM_STEP_NODELIST") : text("SLURM_NODELIST");
        if (nodes.isEmpty()) {
            return null;
        }
        int end = 0;
        for (boolean inside = false; end < nodes.length() && (inside || nodes.charAt(end) != ','); end++) {
            inside = nodes.charAt(end) == '[' || inside && nodes.charAt(end) != ']';
        }
        String first = nodes.substring(0, end);
        return first.replaceAll("\\[([^],-]*)[^]]*\\]", "$1");
    }

    private static boolean loopback(String address) {
        return address != null && (address.equals("localhost") || address.startsWith("127.") || address.equals("::1"));
    }

    private boolean has(String name) {
        return !text(name).isEmpty();
    }

    private String text(String name) {
        return variables.getOrDefault(name, "").strip();
    }

    private Number required(String name, String because) {
        if (!has(name)) {
            throw missing(name, because);
        }
        return number(name);
    }

    private Number number(String name) {
        if (!has(name)) {
            return Number.NONE;
        }
        try {
            int value = Integer.parseInt(text(name));
            if (value < 0) {
                throw new NumberFormatException();
            }
            return new Number(name, value);
        } catch (NumberFormatException e) {
            throw new SetupException("not a whole number of 0 or more: " + name + "=" + text(name)
                    + "; set " + name + " to one, or unset it", e);
        }
    }

    private SetupException missing(String name, String because) {
        return new SetupException(
                "half a rank environment: " + because + "=" + text(because) + " is set, but not " + name
                        + "; set " + name + ", or unset " + because + " to let the program start its own ranks");
    }

    private SetupException badRendezvous() {
        return new SetupException("not an address: TANDEM_RENDEZVOUS=" + text("TANDEM_RENDEZVOUS")
                + "; write it as host:port with a port of 1 to 65535, an IPv6 address in brackets");
    }
}
