package dev.tandem.core.internal.world;

import dev.tandem.core.Check;
import dev.tandem.core.SetupException;
import dev.tandem.core.TimedOutException;
import dev.tandem.core.launch.JobSettings;
import dev.tandem.core.world.Deadline;
import dev.tandem.core.world.RankEnvironment;
import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the ranks of a job in processes meet: rank 0 listens, the others come, and each proves to the other that it
 * knows the job's secret.
 *
 * <p>The secret is {@code TANDEM_SECRET}, which Tandem's launcher makes for each job. Without it, it is derived from the
 * job's name: that keeps jobs apart which meet by accident, and no attacker out; on machines shared with people you do
 * not trust, give all ranks one {@code TANDEM_SECRET}. What goes over the connections is not encrypted. Stateless.
 */
public final class Rendezvous {

    private static final Logger LOG = LoggerFactory.getLogger(Rendezvous.class);
    private static final long FIRST_PAUSE_MS = 5;
    private static final long LONGEST_PAUSE_MS = 200;
    private static final long PROBE_NS = 500_000_000L;

    private Rendezvous() {
    }

    /**
     * Joins this process's rank to its job; returns when all ranks have come. The secret is {@code TANDEM_SECRET} of this
     * process.
     *
     * @param environment the rank's place in the job
     * @param settings the job's settings
     * @return the rank's world
     * @throws dev.tandem.core.SetupException if the ranks cannot meet: the port is taken, or they disagree
     * @throws dev.tandem.core.TimedOutException if a rank does not come
     * @throws dev.tandem.core.PeerLostException if a rank dies meanwhile
     */
    public static LiveWorld join(RankEnvironment environment, JobSettings settings) {
        return join(environment, settings, System.getenv("TANDEM_SECRET"));
    }

    /**
     * Joins a rank to its job; returns when all ranks have come.
     *
     * @param environment the rank's place in the job
     * @param settings the job's settings
     * @param secret what the job's ranks know and nobody else; null to derive it from the job's name
     * @return the rank's world
     * @throws dev.tandem.core.SetupException if the ranks cannot meet: the port is taken, or they disagree
     * @throws dev.tandem.core.TimedOutException if a rank does not come
     * @throws dev.tandem.core.PeerLostException if a rank dies meanwhile
     */
    public static LiveWorld join(RankEnvironment environment, JobSettings settings, String secret) {
        Check.notNull(environment, "environment");
        Check.notNull(settings, "settings");
        return join(environment, settings, secret, settings.timeoutNs() == 0 || Debugger.present());
    }

    static LiveWorld join(RankEnvironment environment, JobSettings settings, String secret, boolean unlimited) {
        Handshake handshake = new Handshake(environment.jobName(), secret);
        LiveWorld world = new LiveWorld(environment.rank(), environment.worldSize(), environment.localRank(),
                environment.localWorldSize(), settings);
        if (unlimited) {
            world.becomePatient();
        }
        if (environment.rank() == 0) {
            host(world, environment, handshake, unlimited);
        } else {
            visit(world, environment, handshake, unlimited);
        }
        return world;
    }

    private static void host(LiveWorld world, RankEnvironment environment, Handshake handshake, boolean unlimited) {
        boolean named = environment.launcher() == RankEnvironment.Launcher.TANDEM && !environment.jobName().isEmpty();
        CountDownLatch ended = new CountDownLatch(1);
        Hub hub = new Hub(world.size(), named ? environment.jobName() : JobIds.random(), ended::countDown);
        ServerSocket listener = listen(environment, handshake);
        Reception reception = new Reception(hub, ended, listener, handshake, world);
        world.connect(new MemoryLink(hub, 0), reception);
        try {
            reception.open();
            hub.join(0, unlimited, world.star()::receive);
            world.awaitWelcome();
            reception.stopListening();
        } catch (RuntimeException e) {
            closeAfter(e, world);
            throw e;
        }
    }

    private static ServerSocket listen(RankEnvironment environment, Handshake handshake) {
        String where = environment.masterAddress() + ":" + environment.masterPort();
        InetAddress[] addresses = resolve(environment);
        boolean loopback = addresses[0].isLoopbackAddress()
                && (environment.oneMachine() || literal(environment.masterAddress(), addresses[0]));
        ServerSocket listener = null;
        try {
            listener = new ServerSocket();
            if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows")) {
                // A port whose last job has just ended is free; on Windows this would mean that two may listen at once.
                listener.setReuseAddress(true);
            }
            InetSocketAddress at = loopback
                    ? new InetSocketAddress(addresses[0], environment.masterPort())
                    : new InetSocketAddress(environment.masterPort());
            listener.bind(at, Math.max(128, environment.worldSize()));
            return listener;
        } catch (IOException e) {
            close(listener);
            throw new SetupException("port busy: address=" + where + " is taken by "
                    + holder(addresses[0], environment.masterPort(), handshake) + " (" + e.getMessage()
                    + "); choose another by --master-port, MASTER_PORT or TANDEM_RENDEZVOUS", e);
        }
    }

    private static boolean literal(String name, InetAddress address) {
        return name.equals("localhost") || name.equals(address.getHostAddress()) || name.indexOf(':') >= 0;
    }

    private static String holder(InetAddress address, int port, Handshake handshake) {
        try (Socket probe = new Socket()) {
            probe.connect(new InetSocketAddress(address, port), (int) (PROBE_NS / 1_000_000));
            return handshake.isTandem(probe, Deadline.in(PROBE_NS)) ? "another Tandem job" : "another program";
        } catch (IOException e) {
            return "another program";
        }
    }

    private static void visit(LiveWorld world, RankEnvironment environment, Handshake handshake, boolean unlimited) {
        Socket socket = connect(world, environment, handshake, unlimited);
        Connection connection = new Connection(
                socket, world.size(), LiveWorld.threadName(world.rank(), "hub"), new FromHub(world));
        world.connect(connection, null);
        connection.start();
        try {
            world.awaitWelcome();
        } catch (RuntimeException e) {
            closeAfter(e, world);
            throw e;
        }
    }

    private static void closeAfter(RuntimeException first, LiveWorld world) {
        try {
            world.abort(first);
            world.close();
        } catch (RuntimeException e) {
            first.addSuppressed(e);
        }
    }

    /** From the connection of a rank to its world. */
    private record FromHub(LiveWorld world) implements Connection.Inbound {

        @Override
        public void receive(Message message) {
            world.star().receive(message);
        }

        @Override
        public void awaitRoom() throws InterruptedException {
            world.star().awaitRoom();
        }

        @Override
        public void ended(String how) {
            if (!world.star().left()) {
                world.fail(Failure.lost(0, how));
            }
        }
    }

    private static Socket connect(
            LiveWorld world, RankEnvironment environment, Handshake handshake, boolean unlimited) {
        String where = environment.masterAddress() + ":" + environment.masterPort();
        InetAddress[] addresses = resolve(environment);
        Handshake.Hello self = new Handshake.Hello(environment.rank(), environment.worldSize(), unlimited);
        Deadline deadline = world.deadline();
        String last = "nobody listens there";
        for (int turn = 0; !deadline.passed(); turn++) {
            Socket socket = new Socket();
            try {
                InetSocketAddress target = new InetSocketAddress(addresses[turn % addresses.length],
                        environment.masterPort());
                long leftMs = Math.max(1, deadline.remainingNs() / 1_000_000);
                socket.connect(target, (int) Math.min(leftMs, Integer.MAX_VALUE));
                if (!target.equals(socket.getLocalSocketAddress())) {
                    socket.setTcpNoDelay(true);
                    handshake.present(socket, self, where, deadline);
                    return socket;
                }
                // The port may lie among those that the system gives to callers: this socket has called itself.
            } catch (ConnectException e) {
                last = "nobody listens there";
            } catch (SocketTimeoutException e) {
                last = "nothing comes back from there";
            } catch (Handshake.NoAnswerException e) {
                last = "whoever listens there closes the connection";
            } catch (IOException e) {
                last = String.valueOf(e.getMessage());
            } catch (RuntimeException e) {
                close(socket);
                throw e;
            }
            close(socket);
            pause(turn);
        }
        throw new TimedOutException("rank 0 not reached: rank=" + environment.rank() + ", address=" + where + " within "
                + Durations.text(deadline.elapsedNs()) + " (" + last
                + "); see whether rank 0 has started and the address"
                + " is right, or give more time with --timeout");
    }

    private static void pause(int turn) {
        try {
            TimeUnit.MILLISECONDS.sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS << Math.min(turn, 8)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SetupException("interrupted while the rank looked for rank 0; start it again", e);
        }
    }

    private static InetAddress[] resolve(RankEnvironment environment) {
        try {
            return InetAddress.getAllByName(environment.masterAddress());
        } catch (UnknownHostException e) {
            throw new SetupException("unknown host: masterAddress=" + environment.masterAddress()
                    + "; correct --master-addr, MASTER_ADDR or TANDEM_RENDEZVOUS", e);
        }
    }

    private static void close(Closeable closeable) {
        try {
            if (closeable != null) {
                closeable.close();
            }
        } catch (IOException e) {
            LOG.debug("A socket did not close: {}", e.getMessage());
        }
    }
}
