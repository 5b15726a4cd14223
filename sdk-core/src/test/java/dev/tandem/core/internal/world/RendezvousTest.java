package dev.tandem.core.internal.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.PeerLostException;
import dev.tandem.core.SetupException;
import dev.tandem.core.TandemException;
import dev.tandem.core.TimedOutException;
import dev.tandem.core.internal.world.Worlds.Outcome;
import dev.tandem.core.world.RankEnvironment;
import dev.tandem.core.world.RankEnvironment.Launcher;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bad days of a rendezvous. */
@Tag("dist")
@Timeout(60)
class RendezvousTest {

    private final int port = Worlds.freePort();

    @AfterEach
    void noThreadOfAWorldIsLeft() throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("tandem-world")) {
                thread.join(5_000);
                assertThat(thread.isAlive()).as(thread.getName()).isFalse();
            }
        }
    }

    private LiveWorld join(int rank, int size, long timeoutMs, String secret) {
        return Rendezvous.join(Worlds.environment(rank, size, port), Worlds.settings(timeoutMs), secret);
    }

    private Object joinAndMeet(int rank, int size, long timeoutMs, String secret) {
        try (LiveWorld world = join(rank, size, timeoutMs, secret)) {
            world.group().barrier();
        }
        return null;
    }

    private Socket connect() throws IOException {
        for (int turn = 0;; turn++) {
            try {
                return new Socket(InetAddress.getLoopbackAddress(), port);
            } catch (IOException e) {
                if (turn == 2_000) {
                    throw e;
                }
                Thread.onSpinWait();
                try {
                    TimeUnit.MILLISECONDS.sleep(5); // until rank 0 listens
                } catch (InterruptedException interrupted) {
                    throw new IOException(interrupted);
                }
            }
        }
    }

    @Test
    void ranksThatDoNotComeAreNamed() throws Exception {
        List<Outcome<Object>> outcomes = Worlds.together(2,
                rank -> () -> joinAndMeet(rank, 4, 400 + 5_000L * rank, Worlds.SECRET));
        assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.failure())
                .isInstanceOf(TimedOutException.class)
                .message()
                .matches(
                        "ranks have not come: ranks 2, 3 of 4 not there after 4\\d\\d ms; see why they did not start, or"
                                + " give more time with --timeout"));
    }

    @Test
    void withoutRankZeroTheOthersSayWhereTheyLooked() {
        assertThatThrownBy(() -> join(1, 2, 300, Worlds.SECRET))
                .isInstanceOf(TimedOutException.class)
                .message()
                .matches("rank 0 not reached: rank=1, address=127.0.0.1:" + port
                        + " within 3\\d\\d ms \\(nobody listens"
                        + " there\\); see whether rank 0 has started and the address is right, or give more time with"
                        + " --timeout");
    }

    @Test
    void aPortThatAStrangerHoldsEndsAllRanks() throws Exception {
        try (ServerSocket stranger = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().daemon().start(() -> greet(stranger, "SSH-2.0-Stranger_9\r\n"));
            List<Outcome<Object>> outcomes = Worlds.together(2,
                    rank -> () -> joinAndMeet(rank, 2, 5_000, Worlds.SECRET));
            assertThat(outcomes.get(0).failure())
                    .isInstanceOf(SetupException.class)
                    .hasMessageStartingWith("port busy: address=127.0.0.1:" + port + " is taken by another program (")
                    .hasMessageEndingWith("; choose another by --master-port, MASTER_PORT or TANDEM_RENDEZVOUS");
            assertThat(outcomes.get(1).failure())
                    .isInstanceOf(SetupException.class)
                    .hasMessage("not Tandem: address=127.0.0.1:" + port
                            + " is another program's, which says \"SSH-2.0-Stranger_9..\"; choose another --master-port");
        }
    }

    private static void greet(ServerSocket listener, String words) {
        try {
            while (true) {
                // Stays open: a stranger need not hang up.
                listener.accept().getOutputStream().write(words.getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            assertThat(listener.isClosed()).isTrue();
        }
    }

    @Test
    void aSilentStrangerIsWaitedForNoLongerThanTheTimeout() throws Exception {
        try (ServerSocket silent = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> join(1, 2, 300, Worlds.SECRET))
                    .isInstanceOf(SetupException.class)
                    .hasMessageStartingWith("no answer: address=127.0.0.1:" + silent.getLocalPort()
                            + " took the connection but said too little within ")
                    .hasMessageEndingWith("see whether rank 0 or another program listens there, and choose another"
                            + " --master-port if so");
        }
    }

    @Test
    void aStrangerThatHangsUpIsSaidAtTheTimeout() throws Exception {
        try (ServerSocket rude = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().daemon().start(() -> hangUp(rude));
            assertThatThrownBy(() -> join(1, 2, 300, Worlds.SECRET))
                    .isInstanceOf(TimedOutException.class)
                    .hasMessageContaining("(whoever listens there closes the connection)");
        }
    }

    private static void hangUp(ServerSocket listener) {
        try {
            while (true) {
                listener.accept().close();
            }
        } catch (IOException e) {
            assertThat(listener.isClosed()).isTrue();
        }
    }

    @Test
    void twoJobsOnOneAddressBothSaySo() throws Exception {
        RankEnvironment other0 = new RankEnvironment(0, 2, 0, 2, "127.0.0.1", port, Launcher.VARIABLES, "other job");
        RankEnvironment other1 = new RankEnvironment(1, 2, 1, 2, "127.0.0.1", port, Launcher.VARIABLES, "other job");
        CountDownLatch othersAreOff = new CountDownLatch(2);
        List<Outcome<Object>> outcomes = Worlds.together(4, rank -> () -> {
            if (rank == 0) {
                return joinAndMeet(0, 2, 20_000, Worlds.SECRET);
            }
            if (rank == 1) {
                assertThat(othersAreOff.await(20, TimeUnit.SECONDS)).isTrue();
                return joinAndMeet(1, 2, 20_000, Worlds.SECRET);
            }
            connect().close();
            try {
                return Rendezvous.join(rank == 2 ? other0 : other1, Worlds.settings(5_000), "other secret");
            } finally {
                othersAreOff.countDown();
            }
        });
        assertThat(outcomes.get(0).failure()).isNull();
        assertThat(outcomes.get(1).failure()).isNull();
        assertThat(outcomes.get(2).failure())
                .isInstanceOf(SetupException.class)
                .hasMessageStartingWith("port busy: address=127.0.0.1:" + port + " is taken by another Tandem job (");
        assertThat(outcomes.get(3).failure())
                .isInstanceOf(SetupException.class)
                .hasMessage("another job: address=127.0.0.1:" + port
                        + " is held by a job of another name; choose another --master-port for this one");
    }

    @Test
    void differentWorldSizesEndAllRanks() throws Exception {
        List<Outcome<Object>> outcomes = Worlds.together(2,
                rank -> () -> joinAndMeet(rank, 3 + rank, 20_000, Worlds.SECRET));
        assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.failure())
                .isInstanceOf(SetupException.class)
                .hasMessage("world sizes differ: rank 1 says 4, rank 0 says 3; start all ranks with one WORLD_SIZE"));
    }

    @Test
    void twoRanksWithOneNumberEndAllRanks() throws Exception {
        List<Outcome<Object>> outcomes = Worlds.together(3,
                rank -> () -> joinAndMeet(Math.min(rank, 1), 3, 20_000, Worlds.SECRET));
        assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.failure())
                .isInstanceOf(SetupException.class)
                .hasMessage("two ranks with one number: rank=1, world size=3; give every process a RANK of its own"));
    }

    @Test
    void aWrongSecretIsNotLetIn() throws Exception {
        List<Outcome<Object>> outcomes = Worlds.together(2,
                rank -> () -> joinAndMeet(rank, 2, 1_000, rank == 0 ? Worlds.SECRET : "a guess"));
        assertThat(outcomes.get(1).failure())
                .isInstanceOf(SetupException.class)
                .hasMessage("wrong secret: rank=1, address=127.0.0.1:" + port
                        + "; give all ranks of the job the same TANDEM_SECRET");
        assertThat(outcomes.get(0).failure())
                .isInstanceOf(TimedOutException.class)
                .hasMessageStartingWith("ranks have not come: rank 1 of 2 not there after ")
                .hasMessageEndingWith(
                        "(meanwhile dropped a connection from 127.0.0.1: it does not know the job's secret)");
    }

    @Test
    void ranksWithoutASecretMeetByTheJobsName() throws Exception {
        Worlds.values(Worlds.together(2, rank -> () -> joinAndMeet(rank, 2, 20_000, null)));
    }

    @Test
    void strangersStopNobody() throws Exception {
        byte[] rubbish = new byte[200_000];
        new Random(7).nextBytes(rubbish);
        ByteBuffer twoGiB = ByteBuffer.allocate(8).putInt(0, Integer.MAX_VALUE);
        Worlds.values(Worlds.together(3, rank -> () -> {
            if (rank == 0) {
                return joinAndMeet(0, 2, 30_000, Worlds.SECRET);
            }
            if (rank == 2) {
                return null;
            }
            Socket silent = connect();
            try (silent; Socket asks = connect(); Socket loud = connect(); Socket big = connect()) {
                asks.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(asks.getInputStream().read()).isNegative();
                assertThatThrownBy(() -> flood(loud, rubbish)).isInstanceOf(IOException.class);
                big.getOutputStream().write(twoGiB.array());
                assertThat(big.getInputStream().read()).isNegative();
                joinAndMeet(1, 2, 30_000, Worlds.SECRET);
            }
            return null;
        }));
    }

    /** Sends 2 GiB, or rather: tries to. */
    private static void flood(Socket socket, byte[] bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        for (long sent = 0; sent < 2L << 30; sent += bytes.length) {
            out.write(bytes);
        }
    }

    @Test
    void aRankThatDiesBeforeAllHaveComeEndsAllRanks() throws Exception {
        Handshake handshake = new Handshake("test", Worlds.SECRET);
        List<Outcome<Object>> outcomes = Worlds.together(2, rank -> () -> {
            if (rank == 0) {
                return joinAndMeet(0, 3, 20_000, Worlds.SECRET);
            }
            try (Socket socket = connect()) {
                handshake.present(socket, new Handshake.Hello(1, 3, false), "x",
                        dev.tandem.core.world.Deadline.in(20_000_000_000L));
            }
            return null;
        });
        assertThat(outcomes.get(0).failure())
                .isInstanceOf(PeerLostException.class)
                .hasMessageStartingWith("rank 1 is lost: ");
        assertThat(outcomes.get(1).failure()).isNull();
    }

    @Test
    void aRankThatTalksNonsenseIsLost() throws Exception {
        Handshake handshake = new Handshake("test", Worlds.SECRET);
        CountDownLatch over = new CountDownLatch(1);
        List<Outcome<Object>> outcomes = Worlds.together(2, rank -> () -> {
            if (rank == 0) {
                try {
                    return joinAndMeet(0, 2, 20_000, Worlds.SECRET);
                } finally {
                    over.countDown();
                }
            }
            try (Socket socket = connect()) {
                handshake.present(socket, new Handshake.Hello(1, 2, false), "x",
                        dev.tandem.core.world.Deadline.in(20_000_000_000L));
                socket.getOutputStream().write(ByteBuffer.allocate(4).putInt(0, Integer.MAX_VALUE).array());
                assertThat(over.await(20, TimeUnit.SECONDS)).isTrue();
            }
            return null;
        });
        assertThat(outcomes.get(0).failure())
                .isInstanceOf(PeerLostException.class)
                .hasMessage("rank 1 is lost: it sent a frame of length=2147483647, limit=" + FrameDescriptor.MAX_LENGTH
                        + "; see what that rank has printed last");
    }

    @Test
    void onlyTheLoopbackAddressIsListenedAt() throws Exception {
        Worlds.together(1, rank -> () -> {
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> assertThatThrownBy(() -> join(0, 2, 300, Worlds.SECRET))
                            .isInstanceOf(TandemException.class));
            connect().close();
            InetAddress own = InetAddress.getLocalHost();
            if (!own.isLoopbackAddress()) {
                try (Socket socket = new Socket()) {
                    assertThatThrownBy(() -> socket.connect(new InetSocketAddress(own, port), 200))
                            .isInstanceOf(IOException.class);
                }
            }
            return null;
        }).forEach(outcome -> assertThat(outcome.failure()).isNull());
    }

    @Test
    void anUnknownHostIsSaidAtOnce() {
        RankEnvironment nowhere = new RankEnvironment(1, 2, 0, 1, "no.such.host.invalid", port, Launcher.VARIABLES,
                "test");
        assertThatThrownBy(() -> Rendezvous.join(nowhere, Worlds.settings(20_000), null))
                .isInstanceOf(SetupException.class)
                .hasMessage("unknown host: masterAddress=no.such.host.invalid; correct --master-addr, MASTER_ADDR or"
                        + " TANDEM_RENDEZVOUS");
    }

    @Test
    void seededRubbishNeverEndsTheRendezvousNorAConnection() throws Exception {
        long seed = 20_261_201L;
        Random random = new Random(seed);
        Handshake handshake = new Handshake("test", Worlds.SECRET);
        Worlds.values(Worlds.together(2, rank -> () -> {
            if (rank == 0) {
                return joinAndMeet(0, 2, 50_000, Worlds.SECRET);
            }
            for (int turn = 0; turn < 300; turn++) {
                byte[] bytes = new byte[random.nextInt(1, 200)];
                random.nextBytes(bytes);
                ByteBuffer hello = ByteBuffer.wrap(bytes);
                int right = random.nextInt(4);
                if (right > 0 && bytes.length >= 12) {
                    hello.putLong(HandshakeDescriptor.MAGIC_AT, HandshakeDescriptor.MAGIC);
                }
                if (right > 1 && bytes.length >= 12) {
                    hello.putInt(HandshakeDescriptor.VERSION_AT, HandshakeDescriptor.VERSION);
                }
                if (right > 2 && bytes.length >= HandshakeDescriptor.HELLO_NONCE_AT) {
                    hello.put(HandshakeDescriptor.HELLO_TAG_AT, handshake.tag());
                }
                try (Socket socket = connect()) {
                    socket.getOutputStream().write(bytes);
                    socket.shutdownOutput();
                    int answer = socket.getInputStream().readAllBytes().length;
                    assertThat(answer).as("seed %d turn %d", seed, turn)
                            .isLessThanOrEqualTo(
                                    HandshakeDescriptor.ANSWER_BYTES + HandshakeDescriptor.VERDICT_BYTES);
                } catch (IOException e) {
                    // Dropped while it was still being sent to: as good an end.
                    assertThat(e).isInstanceOf(java.net.SocketException.class);
                }
            }
            return joinAndMeet(1, 2, 50_000, Worlds.SECRET);
        }));
    }
}
