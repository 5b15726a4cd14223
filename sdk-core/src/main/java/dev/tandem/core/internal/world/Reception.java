package dev.tandem.core.internal.world;

import dev.tandem.core.TimedOutException;
import dev.tandem.core.world.Deadline;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What rank 0 of a job in processes holds for everyone: the listener until all ranks have come, and then their
 * connections to the hub.
 *
 * <p>Whoever connects gets a thread of its own and little time to prove itself; strangers are dropped and noted, and stop
 * nobody. Thread-safe.
 */
final class Reception implements LiveWorld.Host {

    /** How long a guest may take to prove itself. */
    static final long PROOF_NS = 5_000_000_000L;
    /** How long a rank that is proving itself while the job comes down may take to hear of it. */
    private static final long NEWS_NS = 300_000_000L;
    /** After so many dropped strangers the log falls silent about them. */
    private static final int LOUD_DROPS = 10;
    /** How many guests may prove themselves at once, besides the ranks. */
    private static final int STRANGERS = 64;

    private static final Logger LOG = LoggerFactory.getLogger(Reception.class);

    private final Hub hub;
    private final CountDownLatch ended;
    private final ServerSocket listener;
    private final Handshake handshake;
    private final LiveWorld world;
    private final Semaphore places;
    private final AtomicInteger guests = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();
    private final Set<Socket> unproven = ConcurrentHashMap.newKeySet();
    private final List<Connection> connections = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private boolean closed;

    Reception(Hub hub, CountDownLatch ended, ServerSocket listener, Handshake handshake, LiveWorld world) {
        this.hub = hub;
        this.ended = ended;
        this.listener = listener;
        this.handshake = handshake;
        this.world = world;
        this.places = new Semaphore(hub.size() + STRANGERS);
    }

    /** Starts to listen. */
    void open() {
        startThread("listener", this::listen);
    }

    private boolean startThread(String role, Runnable work) {
        synchronized (connections) {
            if (closed) {
                return false;
            }
            Thread thread = Thread.ofPlatform().daemon().name(LiveWorld.threadName(0, role)).unstarted(work);
            threads.removeIf(old -> !old.isAlive());
            thread.start();
            threads.add(thread);
            return true;
        }
    }

    private void listen() {
        while (!listener.isClosed()) {
            try {
                Socket guest = listener.accept();
                if (places.tryAcquire()) {
                    unproven.add(guest);
                    if (!startThread("guest-" + guests.incrementAndGet(), () -> receive(guest))) {
                        close(guest);
                    }
                } else {
                    drop(guest, "too many connect at once");
                }
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    // Out of file descriptors, mostly: there is nobody to tell, and the next may succeed.
                    LOG.warn("A connection could not be taken: {}", e.getMessage());
                    pause();
                }
            }
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void receive(Socket guest) {
        try {
            guest.setTcpNoDelay(true);
            Handshake.Hello hello = handshake.receive(guest, Deadline.in(PROOF_NS));
            guest.setSoTimeout(0);
            if (unproven.remove(guest)) {
                admit(guest, hello);
            }
        } catch (Handshake.RefusedException e) {
            drop(guest, e.getMessage());
        } catch (IOException e) {
            drop(guest, "its connection broke (" + e.getMessage() + ")");
        } finally {
            unproven.remove(guest);
            places.release();
        }
    }

    private void admit(Socket guest, Handshake.Hello hello) {
        int rank = hello.rank();
        if (hello.size() != hub.size()) {
            hub.fail(new Failure(Failure.Kind.SETUP, "world sizes differ: rank " + rank + " says " + hello.size()
                    + ", rank 0 says " + hub.size() + "; start all ranks with one WORLD_SIZE"));
        } else if (rank < 0 || rank >= hub.size()) {
            hub.fail(new Failure(Failure.Kind.SETUP, "rank out of range: a rank calls itself " + rank + ", world size="
                    + hub.size() + "; set its RANK to 0 to " + (hub.size() - 1)));
        }
        ToHub toHub = new ToHub(rank);
        Connection connection = new Connection(guest, hub.size(), LiveWorld.threadName(0, "peer-" + rank), toHub);
        toHub.connection = connection;
        synchronized (connections) {
            if (closed) {
                close(guest);
                return;
            }
            connections.add(connection);
        }
        Failure failure = hub.failure();
        if (failure != null) {
            connection.send(new Message.Abort(failure));
        } else {
            toHub.joined = hub.join(rank, hello.unlimited(), connection::send);
        }
        connection.start();
        if (!toHub.joined) {
            connection.beginClose();
        }
    }

    /** From a connection to the hub. */
    private final class ToHub implements Connection.Inbound {

        private final int rank;
        private Connection connection;
        private volatile boolean joined;

        ToHub(int rank) {
            this.rank = rank;
        }

        @Override
        public void receive(Message message) {
            if (joined) {
                hub.receive(rank, message);
            }
        }

        @Override
        public void written(Message.Chunk chunk) {
            hub.taken(rank, chunk);
        }

        @Override
        public void ended(String how) {
            if (joined) {
                hub.lost(rank, how);
            }
            connection.beginClose();
        }
    }

    private void drop(Socket guest, String why) {
        String from = guest.getInetAddress().getHostAddress();
        close(guest);
        int count = dropped.incrementAndGet();
        if (count < LOUD_DROPS) {
            LOG.warn("Dropped a connection from {}: {}", from, why);
        } else if (count == LOUD_DROPS) {
            LOG.warn("Dropped a connection from {}: {}; more of these are logged as debug messages only", from, why);
        } else {
            LOG.debug("Dropped a connection from {}: {}", from, why);
        }
        hub.notice("dropped a connection from " + from + ": " + why);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("A connection did not close: {}", e.getMessage());
        }
    }

    /** All are there: nobody else is let in, and the port is free for others. */
    void stopListening() {
        closeListener();
        unproven.forEach(Reception::close);
    }

    private void closeListener() {
        try {
            listener.close();
        } catch (IOException e) {
            LOG.debug("The listener did not close: {}", e.getMessage());
        }
    }

    @Override
    public void awaitOthers() {
        Deadline deadline = world.deadline();
        try {
            while (!ended.await(Math.min(deadline.remainingNs(), PROOF_NS), TimeUnit.NANOSECONDS)) {
                if (deadline.passed() && !world.patient()) {
                    hub.fail(new Failure(Failure.Kind.TIMED_OUT, "rank 0 has finished and waited "
                            + Durations.text(deadline.elapsedNs()) + " for " + hub.here()
                            + " to finish too; let every rank"
                            + " end with a barrier, or give more time with --timeout"));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TimedOutException("rank 0 was interrupted while it waited for " + hub.here()
                    + " to finish; let it wait", e);
        }
        Failure failure = hub.failure();
        if (failure != null) {
            world.fail(failure);
            throw failure.asFailure();
        }
    }

    @Override
    public void close() {
        closeListener();
        // Asking waits for the hub's lock: by then every connection has got the news.
        if (hub.failure() != null) {
            // Ranks that are just coming hear of it too.
            awaitThreads(NEWS_NS);
        }
        stopListening();
        awaitThreads(Connection.LINGER_NS);
        List<Connection> open;
        synchronized (connections) {
            closed = true;
            open = List.copyOf(connections);
        }
        open.forEach(Connection::beginClose);
        Deadline deadline = Deadline.in(Connection.LINGER_NS);
        open.forEach(connection -> connection.endClose(deadline));
    }

    private void awaitThreads(long ns) {
        List<Thread> running;
        synchronized (connections) {
            running = List.copyOf(threads);
        }
        Deadline deadline = Deadline.in(ns);
        boolean interrupted = false;
        for (Thread thread : running) {
            interrupted |= Connection.join(thread, deadline);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
