package dev.tandem.core.internal.world;

import dev.tandem.core.Check;
import dev.tandem.core.launch.JobSettings;
import dev.tandem.core.world.Deadline;
import dev.tandem.core.world.ProcessGroup;
import dev.tandem.core.world.RankEnvironment;
import dev.tandem.core.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A rank's world while the job runs.
 *
 * <p>Made by {@link Rendezvous#join} or {@link #inProcess}. Ended in good order by {@link #leave()}, in any other way by
 * {@link #abort} and {@link #close()}. Thread-safe.
 */
public final class LiveWorld implements World, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LiveWorld.class);

    private final int rank;
    private final int size;
    private final int localRank;
    private final int localSize;
    private final long timeoutNs;
    private final StarGroup group;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Object abortLock = new Object();
    private final List<Runnable> abortActions = new ArrayList<>();
    private Runnable lastResort = () -> {
    };
    private long lastResortGraceNs = -1;
    private volatile Failure failure;
    private volatile boolean patient;
    private volatile String jobId = "";
    private Link link;
    private Host host;

    LiveWorld(int rank, int size, int localRank, int localSize, JobSettings settings) {
        this.rank = rank;
        this.size = size;
        this.localRank = localRank;
        this.localSize = localSize;
        this.timeoutNs = settings.timeoutNs();
        this.group = new StarGroup(this);
    }

    /** What rank 0 of a job in processes holds besides its own world: the hub and everyone's connections. */
    interface Host {

        /** Waits until all ranks have left; throws if the job comes down or they do not within the timeout. */
        void awaitOthers();

        /** Closes all connections. */
        void close();
    }

    /**
     * Makes a world of ranks in this JVM. Collective calls need a thread for each of them.
     *
     * @param size how many ranks
     * @param settings the job's settings
     * @return each rank's world, joined, in rank order
     */
    public static List<LiveWorld> inProcess(int size, JobSettings settings) {
        Check.positive(size, "size");
        Check.that(size <= RankEnvironment.MAX_WORLD_SIZE,
                "too many ranks: size=" + size + ", limit=" + RankEnvironment.MAX_WORLD_SIZE + "; start fewer");
        Check.notNull(settings, "settings");
        Hub hub = new Hub(size, JobIds.random(), () -> {
        });
        boolean unlimited = settings.timeoutNs() == 0 || Debugger.present();
        List<LiveWorld> worlds = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            LiveWorld world = new LiveWorld(rank, size, rank, size, settings);
            world.link = new MemoryLink(hub, rank);
            worlds.add(world);
            hub.join(rank, unlimited, world.group::receive);
        }
        worlds.forEach(LiveWorld::awaitWelcome);
        return List.copyOf(worlds);
    }

    /** Waits until all ranks have come. */
    void awaitWelcome() {
        jobId = group.awaitWelcome();
    }

    /** Connects the world to its hub; before anything is received. */
    void connect(Link toHub, Host hostOrNull) {
        link = toHub;
        host = hostOrNull;
    }

    Link link() {
        return link;
    }

    StarGroup star() {
        return group;
    }

    Failure failure() {
        return failure;
    }

    boolean patient() {
        return patient;
    }

    void becomePatient() {
        patient = true;
    }

    long timeoutNs() {
        return timeoutNs;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int localRank() {
        return localRank;
    }

    @Override
    public int localSize() {
        return localSize;
    }

    @Override
    public String jobId() {
        return jobId;
    }

    @Override
    public ProcessGroup group() {
        return group;
    }

    @Override
    public Deadline deadline() {
        return Deadline.in(patient ? 0 : timeoutNs);
    }

    @Override
    public void checkAlive() {
        Failure first = failure;
        if (first != null) {
            throw first.asAbort();
        }
    }

    @Override
    public boolean aborted() {
        return failure != null;
    }

    @Override
    public void abort(Throwable cause) {
        failEverywhere(Failure.thrownBy(rank, Check.notNull(cause, "cause")));
    }

    /** Takes a first cause of this rank and tells the others. */
    void failEverywhere(Failure cause) {
        if (fail(cause)) {
            link.send(new Message.Abort(cause));
        }
    }

    @Override
    public void onAbort(Runnable action) {
        Check.notNull(action, "action");
        synchronized (abortLock) {
            if (failure == null) {
                abortActions.add(action);
                return;
            }
        }
        runGuarded(action);
    }

    /**
     * Says what ends this rank should it not end by itself: runs once, {@code graceNs} after the job came down, unless
     * the world is closed by then. For a main thread that sits in native code.
     *
     * @param graceNs nanoseconds between the abort and the action
     * @param action what to do; runs on a thread of the world
     */
    public void afterAbort(long graceNs, Runnable action) {
        Check.notNegative(graceNs, "graceNs");
        synchronized (abortLock) {
            lastResortGraceNs = graceNs;
            lastResort = Check.notNull(action, "action");
            if (failure == null) {
                return;
            }
        }
        startDaemon("last-resort", this::awaitLastResort);
    }

    /** Takes the first cause; later ones change nothing. True if it was the first here. Never blocks. */
    boolean fail(Failure cause) {
        List<Runnable> actions;
        synchronized (abortLock) {
            if (failure != null) {
                return false;
            }
            failure = cause;
            actions = List.copyOf(abortActions);
            abortActions.clear();
            if (actions.isEmpty() && lastResortGraceNs < 0) {
                actions = null;
            }
        }
        group.wake();
        if (actions != null) {
            List<Runnable> all = actions;
            startDaemon("abort", () -> {
                all.forEach(LiveWorld::runGuarded);
                awaitLastResort();
            });
        }
        return true;
    }

    private void startDaemon(String role, Runnable work) {
        Thread.ofPlatform().daemon().name(threadName(rank, role)).start(work);
    }

    /** Names a thread of a rank's world. */
    static String threadName(int rank, String role) {
        return "tandem-world-" + rank + "-" + role;
    }

    private void awaitLastResort() {
        long graceNs;
        Runnable action;
        synchronized (abortLock) {
            graceNs = lastResortGraceNs;
            action = lastResort;
            lastResortGraceNs = -1;
        }
        if (graceNs < 0) {
            return;
        }
        try {
            if (!closed.await(graceNs, TimeUnit.NANOSECONDS)) {
                runGuarded(action);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void runGuarded(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("An action for the end of the job has failed", e);
        }
    }

    /**
     * Ends this rank's part in good order: its end is no failure to the others, unless they wait for it in a collective.
     * Rank 0 of a job in processes then waits until all others have left, since it connects them. Lets go of threads and
     * connections in any case; what this rank has said of its failure is on its way by then. May be called again.
     *
     * @throws dev.tandem.core.JobAbortedException if the job has come down
     * @throws dev.tandem.core.PeerLostException if the job has come down because a rank died, or waits for this one
     * @throws dev.tandem.core.TimedOutException if other ranks do not leave within the timeout
     */
    public void leave() {
        if (closed.getCount() == 0) {
            return;
        }
        try {
            group.leave();
            if (host != null) {
                host.awaitOthers();
            }
        } finally {
            release();
        }
    }

    /**
     * Leaves, unless the job is coming down: then it only lets go of threads and connections. May be called again.
     *
     * @throws dev.tandem.core.TandemException as {@link #leave()}
     */
    @Override
    public void close() {
        if (failure == null) {
            leave();
        } else {
            release();
        }
    }

    private void release() {
        synchronized (closed) {
            if (closed.getCount() == 0) {
                return;
            }
            closed.countDown();
        }
        group.stop();
        if (host != null) {
            host.close();
        }
        link.close();
    }
}
