package dev.tandem.core.internal.world;

import static dev.tandem.core.internal.world.HandshakeDescriptor.*;

import dev.tandem.core.SetupException;
import dev.tandem.core.world.Deadline;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * How a rank and rank 0 prove to each other that they belong to one job. Both sides run on the thread that calls them,
 * within a deadline, and read nothing but parts of fixed size. Immutable and thread-safe.
 */
final class Handshake {

    private final byte[] tag;
    private final byte[] secret;
    private final SecureRandom random = new SecureRandom();

    /**
     * Prepares for a job.
     *
     * @param jobName how the launcher calls the job
     * @param secret the job's secret; null or empty derives one from the name, which keeps jobs apart and no attacker out
     */
    Handshake(String jobName, String secret) {
        tag = Arrays.copyOf(digest("tandem job " + jobName), TAG_BYTES);
        this.secret = secret == null || secret.isEmpty()
                ? digest("tandem secret " + jobName)
                : secret.getBytes(StandardCharsets.UTF_8);
    }

    /** Gives what tells the job from others on the wire. */
    byte[] tag() {
        return tag.clone();
    }

    /** What a rank says of itself; proven. */
    record Hello(int rank, int size, boolean unlimited) {
    }

    /** Why a guest is not let in. */
    static final class RefusedException extends Exception {

        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }

    /** The other side closed the connection before it said anything. */
    static final class NoAnswerException extends IOException {

        private static final long serialVersionUID = 1L;

        NoAnswerException(Throwable cause) {
            super("closed without an answer", cause);
        }
    }

    /**
     * Rank 0's side.
     *
     * @return what the rank says
     * @throws RefusedException if it is a stranger, in words that follow {@code dropped a connection from HOST:}
     */
    Hello receive(Socket socket, Deadline deadline) throws RefusedException {
        try {
            byte[] hello = new byte[HELLO_BYTES];
            int count = readUpTo(socket, hello, true, deadline);
            ByteBuffer in = ByteBuffer.wrap(hello);
            if (count > 0 && !beginsWithMagic(hello, count)) {
                throw new RefusedException("it does not speak Tandem's protocol");
            }
            if (count < HELLO_BYTES) {
                throw new EOFException();
            }
            byte[] nonce = nonce();
            if (in.getInt(VERSION_AT) != VERSION) {
                socket.getOutputStream().write(answer(OTHER_VERSION, nonce));
                throw new RefusedException("it speaks version " + in.getInt(VERSION_AT) + " of the protocol, this is "
                        + VERSION);
            }
            if (!MessageDigest.isEqual(Arrays.copyOfRange(hello, HELLO_TAG_AT, HELLO_TAG_AT + TAG_BYTES), tag)) {
                socket.getOutputStream().write(answer(OTHER_JOB, nonce));
                throw new RefusedException("it belongs to another job");
            }
            socket.getOutputStream().write(answer(GO_ON, nonce));
            byte[] proof = read(socket, PROOF_BYTES, deadline);
            boolean proven = MessageDigest.isEqual(proof, proof("rank", hello, nonce));
            ByteBuffer verdict = ByteBuffer.allocate(VERDICT_BYTES);
            verdict.putInt(VERDICT_STATUS_AT, proven ? GO_ON : WRONG_SECRET);
            if (proven) {
                verdict.put(VERDICT_PROOF_AT, proof("rank 0", hello, nonce));
            }
            socket.getOutputStream().write(verdict.array());
            if (!proven) {
                throw new RefusedException("it does not know the job's secret");
            }
            return new Hello(in.getInt(HELLO_RANK_AT), in.getInt(HELLO_SIZE_AT),
                    (in.getInt(HELLO_FLAGS_AT) & UNLIMITED) != 0);
        } catch (SocketTimeoutException e) {
            throw new RefusedException("it said too little within " + Durations.text(deadline.elapsedNs()));
        } catch (EOFException e) {
            throw new RefusedException("it said too little and went");
        } catch (IOException e) {
            throw new RefusedException("its connection broke (" + e.getMessage() + ")");
        }
    }

    /**
     * A rank's side.
     *
     * @param where host and port, for messages
     * @throws NoAnswerException if rank 0 closes at once, so that another try may succeed
     * @throws SetupException if the other side is not rank 0 of this job
     */
    void present(Socket socket, Hello self, String where, Deadline deadline) throws NoAnswerException {
        ByteBuffer hello = hello(self, tag, nonce());
        try {
            ByteBuffer answer = ByteBuffer.wrap(answerTo(hello.array(), socket, deadline));
            checkAnswer(answer, where);
            byte[] nonce = Arrays.copyOfRange(answer.array(), ANSWER_NONCE_AT, ANSWER_BYTES);
            socket.getOutputStream().write(proof("rank", hello.array(), nonce));
            ByteBuffer verdict = ByteBuffer.wrap(read(socket, VERDICT_BYTES, deadline));
            if (verdict.getInt(VERDICT_STATUS_AT) == WRONG_SECRET) {
                throw new SetupException("wrong secret: rank=" + self.rank() + ", address=" + where
                        + "; give all ranks of the job the same TANDEM_SECRET");
            }
            byte[] proof = Arrays.copyOfRange(verdict.array(), VERDICT_PROOF_AT, VERDICT_BYTES);
            if (verdict.getInt(VERDICT_STATUS_AT) != GO_ON
                    || !MessageDigest.isEqual(proof, proof("rank 0", hello.array(), nonce))) {
                throw new SetupException("not this job's rank 0: address=" + where
                        + " does not know the job's secret; give all ranks the same TANDEM_SECRET, or another"
                        + " --master-port");
            }
            socket.setSoTimeout(0);
        } catch (NoAnswerException e) {
            throw e;
        } catch (SocketTimeoutException e) {
            throw new SetupException("no answer: address=" + where + " took the connection but said too little within "
                    + Durations.text(deadline.elapsedNs()) + "; see whether rank 0 or another program listens there,"
                    + " and choose another --master-port if so", e);
        } catch (IOException e) {
            throw new SetupException("not rank 0: address=" + where + " ended the connection while the rank joined ("
                    + e.getMessage() + "); see what rank 0 says, or choose another --master-port", e);
        }
    }

    private static byte[] answerTo(byte[] hello, Socket socket, Deadline deadline) throws IOException {
        byte[] answer = new byte[ANSWER_BYTES];
        int count = 0;
        try {
            socket.getOutputStream().write(hello);
            count = readUpTo(socket, answer, true, deadline);
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            throw new NoAnswerException(e);
        }
        if (count == 0) {
            throw new NoAnswerException(null);
        }
        if (count < ANSWER_BYTES && beginsWithMagic(answer, count)) {
            throw new EOFException("the answer is cut off");
        }
        return answer;
    }

    private static void checkAnswer(ByteBuffer answer, String where) {
        if (answer.getLong(MAGIC_AT) != MAGIC) {
            throw new SetupException("not Tandem: address=" + where + " is another program's, which says \""
                    + printable(answer.array()) + "\"; choose another --master-port");
        }
        if (answer.getInt(VERSION_AT) != VERSION) {
            throw new SetupException("versions differ: rank 0 at " + where + " speaks version "
                    + answer.getInt(VERSION_AT) + ", this rank " + VERSION
                    + "; run one version of Tandem on all ranks");
        }
        if (answer.getInt(ANSWER_STATUS_AT) != GO_ON) {
            throw new SetupException("another job: address=" + where
                    + " is held by a job of another name; choose another --master-port for this one");
        }
    }

    /** Asks whoever holds an address whether it is a Tandem job. */
    boolean isTandem(Socket socket, Deadline deadline) {
        byte[] otherTag = new byte[TAG_BYTES];
        random.nextBytes(otherTag);
        try {
            byte[] hello = hello(new Hello(0, 1, false), otherTag, nonce()).array();
            return ByteBuffer.wrap(answerTo(hello, socket, deadline)).getLong(MAGIC_AT) == MAGIC;
        } catch (IOException e) {
            return false;
        }
    }

    private static ByteBuffer hello(Hello self, byte[] tag, byte[] nonce) {
        ByteBuffer hello = ByteBuffer.allocate(HELLO_BYTES);
        hello.putLong(MAGIC_AT, MAGIC);
        hello.putInt(VERSION_AT, VERSION);
        hello.putInt(HELLO_RANK_AT, self.rank());
        hello.putInt(HELLO_SIZE_AT, self.size());
        hello.putInt(HELLO_FLAGS_AT, self.unlimited() ? UNLIMITED : 0);
        hello.put(HELLO_TAG_AT, tag);
        hello.put(HELLO_NONCE_AT, nonce);
        return hello;
    }

    private static byte[] answer(int status, byte[] nonce) {
        ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES);
        answer.putLong(MAGIC_AT, MAGIC);
        answer.putInt(VERSION_AT, VERSION);
        answer.putInt(ANSWER_STATUS_AT, status);
        answer.put(ANSWER_NONCE_AT, nonce);
        return answer.array();
    }

    private byte[] nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return nonce;
    }

    private byte[] proof(String side, byte[] hello, byte[] nonce) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            mac.update(side.getBytes(StandardCharsets.US_ASCII));
            mac.update((byte) 0);
            mac.update(hello);
            return mac.doFinal(nonce);
        } catch (GeneralSecurityException e) {
            throw new SetupException("no HmacSHA256 in this Java; use a complete JDK", e);
        }
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new SetupException("no SHA-256 in this Java; use a complete JDK", e);
        }
    }

    private static byte[] read(Socket socket, int count, Deadline deadline) throws IOException {
        byte[] bytes = new byte[count];
        if (readUpTo(socket, bytes, false, deadline) < count) {
            throw new EOFException("the connection has ended");
        }
        return bytes;
    }

    /** Reads until the array is full, the stream ends, or it can be seen that this is not the magic wanted. */
    private static int readUpTo(Socket socket, byte[] bytes, boolean magicWanted, Deadline deadline)
            throws IOException {
        InputStream in = socket.getInputStream();
        int count = 0;
        while (count < bytes.length && (!magicWanted || beginsWithMagic(bytes, count))) {
            long leftMs = deadline.remainingNs() / 1_000_000;
            if (leftMs <= 0) {
                throw new SocketTimeoutException("deadline");
            }
            socket.setSoTimeout((int) Math.min(Integer.MAX_VALUE, leftMs));
            int got = in.read(bytes, count, bytes.length - count);
            if (got < 0) {
                break;
            }
            count += got;
        }
        return count;
    }

    /** Says whether the first {@code count} bytes can be those of a part that begins with the magic. */
    private static boolean beginsWithMagic(byte[] bytes, int count) {
        for (int i = 0; i < Math.min(count, Long.BYTES); i++) {
            if (bytes[i] != (byte) (MAGIC >>> 8 * (Long.BYTES - 1 - i))) {
                return false;
            }
        }
        return true;
    }

    private static String printable(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte b : bytes) {
            if (text.length() == 24 || b == 0) {
                break;
            }
            text.append(b >= 32 && b < 127 ? (char) b : '.');
        }
        return text.toString();
    }
}
