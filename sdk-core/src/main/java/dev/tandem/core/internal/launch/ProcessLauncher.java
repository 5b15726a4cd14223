package dev.tandem.core.internal.launch;

import dev.tandem.core.SetupException;
import dev.tandem.core.launch.RankProgram;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Runs a job with one JVM a rank: starts them, carries their output, and sees to it that they end together.
 *
 * <p>One instance a job; {@link #run()} is called once, by one thread.
 */
final class ProcessLauncher {

    /** How long the other ranks may take to end by themselves after the first failure. */
    private static final long GRACE_NS = 1_000_000_000L;

    /** How long a killed process may take to be gone, and ended ones' output to arrive. */
    private static final long SETTLE_NS = 5_000_000_000L;

    /** How long a failure that looks like Ctrl-C waits for this process's own Ctrl-C. */
    private static final long INTERRUPT_NS = 500_000_000L;

    private final Class<? extends RankProgram> program;
    private final List<String> arguments;
    private final JobPlan plan;
    private final Console console;
    private final String masterAddress;
    private final String jobId = JobNames.jobId();
    private final List<RankProcess> ranks = new ArrayList<>();
    private final BlockingQueue<RankProcess> ended = new LinkedBlockingQueue<>();
    private volatile boolean interrupted;

    /** Prepares a job. */
    ProcessLauncher(Class<? extends RankProgram> program, List<String> arguments, JobPlan plan, Console console) {
        this.program = program;
        this.arguments = arguments;
        this.plan = plan;
        this.masterAddress = plan.masterAddress() == null ? JobPlan.THIS_MACHINE : plan.masterAddress();
        this.console = console;
    }

    /** Runs the job and gives its exit status. */
    int run() {
        Thread hook = Thread.ofPlatform().name("tandem-interrupt").unstarted(this::interrupt);
        Runtime.getRuntime().addShutdownHook(hook);
        try (PortReservation reservation = plan.masterPort() == 0 ? PortReservation.at(masterAddress) : null) {
            startAll(reservation == null ? plan.masterPort() : reservation.port());
            return supervise();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            interrupted = true;
            return ExitStatus.INTERRUPTED;
        } finally {
            endAll();
            SharedMemoryLeftovers.remove(jobId);
            ShutdownHooks.withdraw(hook);
        }
    }

    private void startAll(int port) {
        List<String> command = new JvmCommand(System.getProperties(), System.getenv()).of(RankMain.class, program,
                plan.ranks(), arguments);
        String secret = JobNames.secret();
        for (int rank = 0; rank < plan.ranks(); rank++) {
            try {
                synchronized (ranks) {
                    if (interrupted) {
                        return;
                    }
                    RankProcess started = RankProcess.start(
                            rank, command, variables(rank, port, secret), console, plan.prefix(rank));
                    ranks.add(started);
                    started.onEnd(ended::add);
                }
            } catch (IOException e) {
                throw new SetupException(
                        "rank cannot be started: rank=" + rank + ", ranks=" + plan.ranks() + ", java=" + command.get(0)
                                + " (" + e.getMessage() + "); start fewer ranks or free memory and processes",
                        e);
            }
        }
    }

    private Map<String, String> variables(int rank, int port, String secret) {
        Map<String, String> variables = new LinkedHashMap<>();
        // What another launcher has said about the rendezvous of its own job does not hold for this one.
        for (String name : System.getenv().keySet()) {
            if (name.startsWith("TORCHELASTIC_") || name.equals("TANDEM_RENDEZVOUS")) {
                variables.put(name, null);
            }
        }
        variables.put("RANK", Integer.toString(rank));
        variables.put("WORLD_SIZE", Integer.toString(plan.ranks()));
        variables.put("LOCAL_RANK", Integer.toString(rank));
        variables.put("LOCAL_WORLD_SIZE", Integer.toString(plan.ranks()));
        variables.put("MASTER_ADDR", masterAddress);
        variables.put("MASTER_PORT", Integer.toString(port));
        variables.put("TANDEM_JOB", jobId);
        variables.put("TANDEM_SECRET", secret);
        variables.put(JoinedRank.LAUNCHER, Long.toString(ProcessHandle.current().pid()));
        return variables;
    }

    private int supervise() throws InterruptedException {
        for (int left = plan.ranks(); left > 0; left--) {
            RankProcess rank = ended.take();
            if (rank.status() != ExitStatus.OK) {
                return fail(rank);
            }
        }
        awaitOutputs();
        return interrupted ? ExitStatus.INTERRUPTED : ExitStatus.OK;
    }

    private int fail(RankProcess firstSeen) throws InterruptedException {
        List<RankProcess> order = new ArrayList<>();
        order.add(firstSeen);
        long endNs = System.nanoTime() + GRACE_NS;
        for (RankProcess rank : ranks) {
            rank.awaitEnd(Math.max(1, endNs - System.nanoTime()));
        }
        ended.drainTo(order);
        endAll();
        for (RankProcess rank : ranks) {
            if (!order.contains(rank)) {
                order.add(rank);
            }
        }
        if (byInterrupt(order)) {
            return ExitStatus.INTERRUPTED;
        }
        awaitOutputs();
        RankProcess first = firstCause(order);
        Verdict verdict = new Verdict(first.rank(), plan.ranks(), first.status(), first.report(), first.lastLines());
        verdict.print(console);
        return verdict.exitStatus();
    }

    /** Ctrl-C reaches the ranks as well as this process, and maybe sooner; then it is not a rank that failed. */
    private boolean byInterrupt(List<RankProcess> inOrderOfEnd) throws InterruptedException {
        if (inOrderOfEnd.stream().anyMatch(rank -> !rank.stopped() && ExitStatus.interrupted(rank.status()))) {
            long endNs = System.nanoTime() + INTERRUPT_NS;
            synchronized (ranks) {
                for (long left = INTERRUPT_NS; !interrupted && left > 0; left = endNs - System.nanoTime()) {
                    ranks.wait(Math.max(1, left / 1_000_000));
                }
            }
        }
        return interrupted;
    }

    /**
     * Finds the rank that failed first: among those that failed on their own, the one that reported or ended first. If
     * all only followed others, the first that has told why.
     */
    private static RankProcess firstCause(List<RankProcess> inOrderOfEnd) {
        RankProcess first = null;
        for (RankProcess rank : inOrderOfEnd) {
            boolean onItsOwn = !rank.stopped() && rank.status() != ExitStatus.OK
                    && rank.status() != ExitStatus.FAILED_ELSEWHERE;
            if (onItsOwn && (first == null || reportedBefore(rank, first))) {
                first = rank;
            }
        }
        if (first == null) {
            first = inOrderOfEnd.stream()
                    .filter(rank -> rank.report() != null)
                    .findFirst()
                    .orElse(inOrderOfEnd.getFirst());
        }
        return first;
    }

    private static boolean reportedBefore(RankProcess one, RankProcess other) {
        return one.report() != null && other.report() != null && one.reportedNs() - other.reportedNs() < 0;
    }

    private void awaitOutputs() throws InterruptedException {
        for (RankProcess rank : started()) {
            rank.awaitOutput(SETTLE_NS);
        }
    }

    private List<RankProcess> started() {
        synchronized (ranks) {
            return List.copyOf(ranks);
        }
    }

    /** Kills what is still alive and waits until all is gone. */
    private void endAll() {
        boolean cut = Thread.interrupted();
        started().forEach(RankProcess::kill);
        for (RankProcess rank : started()) {
            try {
                rank.awaitEnd(SETTLE_NS);
            } catch (InterruptedException e) {
                cut = true;
            }
        }
        if (cut) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs as a shutdown hook, on Ctrl-C and the like. */
    private void interrupt() {
        synchronized (ranks) {
            interrupted = true;
            ranks.notifyAll();
        }
        started().forEach(RankProcess::stop);
        long endNs = System.nanoTime() + GRACE_NS;
        try {
            for (RankProcess rank : started()) {
                rank.awaitEnd(Math.max(1, endNs - System.nanoTime()));
            }
            endAll();
            awaitOutputs();
        } catch (InterruptedException e) {
            // Nobody interrupts a shutdown hook; what is left is killed all the same.
            endAll();
        }
        SharedMemoryLeftovers.remove(jobId);
        console.error(ShutdownHooks.INTERRUPTED);
    }
}
