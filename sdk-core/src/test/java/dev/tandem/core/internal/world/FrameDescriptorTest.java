package dev.tandem.core.internal.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FrameDescriptorTest {

    private static final int SIZE = 3;

    static List<Message> messages() {
        return List.of(
                new Message.Enter(new Call(7, Operation.BROADCAST, 2, 99)),
                new Message.Start(7, new long[]{1, 1L << 40, 0}),
                new Message.Chunk(7, 2, 5L << 32, new byte[Message.Chunk.MAX_BYTES]),
                new Message.Credit(7),
                new Message.Overdue(7, 60_000_000_000L),
                new Message.Abort(new Failure(Failure.Kind.SETUP, "端口 is taken")),
                new Message.Abort(new Failure(Failure.Kind.ABORTED, "言".repeat(Failure.MAX_SENTENCE + 1))),
                new Message.Leave(),
                new Message.Left(),
                new Message.Welcome("a-1"),
                new Message.Patience(),
                new Message.Heartbeat());
    }

    private static byte[] bytes(Message message) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        FrameDescriptor.write(message, new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static Message read(byte[] bytes) throws IOException {
        return FrameDescriptor.read(new DataInputStream(new ByteArrayInputStream(bytes)), SIZE);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void whatIsWrittenIsRead(Message message) throws IOException {
        byte[] bytes = bytes(message);
        assertThat(ByteBuffer.wrap(bytes).getInt(0)).isEqualTo(bytes.length - FrameDescriptor.LENGTH_BYTES);
        assertThat(read(bytes)).usingRecursiveComparison().isEqualTo(message);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void aCutOrStretchedFrameIsRefused(Message message) throws IOException {
        byte[] bytes = bytes(message);
        assertThatThrownBy(() -> read(java.util.Arrays.copyOf(bytes, bytes.length - 1)))
                .isInstanceOf(IOException.class);
        for (int length : new int[]{0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, FrameDescriptor.MAX_LENGTH + 1}) {
            ByteBuffer.wrap(bytes).putInt(0, length);
            assertThatThrownBy(() -> read(bytes))
                    .isInstanceOf(FrameDescriptor.BadFrameException.class)
                    .hasMessage("frame of length=" + length + ", limit=" + FrameDescriptor.MAX_LENGTH);
        }
    }

    @Test
    void offsetsStandAsDrawn() throws IOException {
        ByteBuffer enter = ByteBuffer.wrap(bytes(new Message.Enter(new Call(7, Operation.BROADCAST, 2, 99))));
        assertThat(enter.get(4)).isEqualTo((byte) 1);
        assertThat(enter.getLong(5)).isEqualTo(7);
        assertThat(enter.get(13)).isEqualTo((byte) Operation.BROADCAST.ordinal());
        assertThat(enter.getInt(14)).isEqualTo(2);
        assertThat(enter.getLong(18)).isEqualTo(99);
        ByteBuffer chunk = ByteBuffer.wrap(bytes(new Message.Chunk(7, 2, 5L << 32, new byte[]{42})));
        assertThat(chunk.get(4)).isEqualTo((byte) 3);
        assertThat(chunk.getLong(5)).isEqualTo(7);
        assertThat(chunk.getInt(13)).isEqualTo(2);
        assertThat(chunk.getLong(17)).isEqualTo(5L << 32);
        assertThat(chunk.get(25)).isEqualTo((byte) 42);
    }

    @Test
    void handshakeOffsetsStandAsDrawn() {
        assertThat(new int[]{
            HandshakeDescriptor.MAGIC_AT, HandshakeDescriptor.VERSION_AT, HandshakeDescriptor.HELLO_RANK_AT,
            HandshakeDescriptor.HELLO_SIZE_AT, HandshakeDescriptor.HELLO_FLAGS_AT, HandshakeDescriptor.HELLO_TAG_AT,
            HandshakeDescriptor.HELLO_NONCE_AT, HandshakeDescriptor.HELLO_BYTES
        }).containsExactly(0, 8, 12, 16, 20, 24, 40, 72);
        assertThat(new int[]{
            HandshakeDescriptor.ANSWER_STATUS_AT, HandshakeDescriptor.ANSWER_NONCE_AT, HandshakeDescriptor.ANSWER_BYTES,
            HandshakeDescriptor.VERDICT_STATUS_AT, HandshakeDescriptor.VERDICT_PROOF_AT,
            HandshakeDescriptor.VERDICT_BYTES
        }).containsExactly(12, 16, 48, 0, 4, 36);
        assertThat(ByteBuffer.allocate(8).putLong(0, HandshakeDescriptor.MAGIC).array())
                .isEqualTo("TNDMWRLD".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }

    @Test
    void seededRubbishIsRefusedOrAMessageAndNothingElse() {
        long seed = 42;
        Random random = new Random(seed);
        for (int turn = 0; turn < 20_000; turn++) {
            byte[] bytes = new byte[random.nextInt(1, 80)];
            random.nextBytes(bytes);
            if (bytes.length > 5 && random.nextBoolean()) {
                ByteBuffer.wrap(bytes).putInt(0, random.nextInt(1, 80)).put(4, (byte) random.nextInt(0, 14));
            }
            try {
                assertThat(read(bytes)).isNotNull();
            } catch (IOException e) {
                // Refused: what most rubbish deserves.
                assertThat(e).isNotNull();
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + " turn " + turn, e);
            }
        }
    }
}
