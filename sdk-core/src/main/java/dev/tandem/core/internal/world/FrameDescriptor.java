package dev.tandem.core.internal.world;

import dev.tandem.core.internal.world.Failure.Kind;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The layout of a message on a connection, big-endian.
 *
 * <pre>
 *  0       4      5                          4 + length
 *  +-------+------+-----------------------------+
 *  | length| type | body                        |
 *  +-------+------+-----------------------------+
 *
 *  type              body
 *  ENTER      1      number 8, operation 1, root 4, lengthBytes 8
 *  START      2      number 8, one lengthBytes 8 a rank
 *  CHUNK      3      number 8, source 4, offsetBytes 8, the bytes
 *  CREDIT     4      number 8
 *  OVERDUE    5      number 8, waitedNs 8
 *  ABORT      6      kind 1, UTF-8 text
 *  LEAVE      7      -
 *  LEFT       8      -
 *  WELCOME    9      the job's id in ASCII
 *  PATIENCE  10      -
 *  HEARTBEAT 11      -
 * </pre>
 *
 * <p>{@code length} counts the type and the body. A longer one than {@link #MAX_LENGTH}, an unknown type and a body of the
 * wrong length are refused before anything is allocated for them.
 */
final class FrameDescriptor {

    /** Bytes of a length field. */
    static final int LENGTH_BYTES = Integer.BYTES;
    /** Bytes of a chunk's body before its data. */
    static final int CHUNK_HEADER_BYTES = Long.BYTES + Integer.BYTES + Long.BYTES;
    /** The greatest length: a chunk of the greatest size. */
    static final int MAX_LENGTH = 1 + CHUNK_HEADER_BYTES + Message.Chunk.MAX_BYTES;
    /** The longest text of an abort: four bytes of UTF-8 a character at most. */
    static final int MAX_TEXT_BYTES = 4 * Failure.MAX_SENTENCE;
    /** The longest job id. */
    static final int MAX_JOB_ID_BYTES = 64;

    static final byte ENTER = 1;
    static final byte START = 2;
    static final byte CHUNK = 3;
    static final byte CREDIT = 4;
    static final byte OVERDUE = 5;
    static final byte ABORT = 6;
    static final byte LEAVE = 7;
    static final byte LEFT = 8;
    static final byte WELCOME = 9;
    static final byte PATIENCE = 10;
    static final byte HEARTBEAT = 11;

    private static final int ENTER_LENGTH = 1 + Long.BYTES + 1 + Integer.BYTES + Long.BYTES;
    private static final int CREDIT_LENGTH = 1 + Long.BYTES;
    private static final int OVERDUE_LENGTH = 1 + 2 * Long.BYTES;

    private FrameDescriptor() {
    }

    /** What is wrong with a frame. */
    static final class BadFrameException extends IOException {

        private static final long serialVersionUID = 1L;

        BadFrameException(String message) {
            super(message);
        }
    }

    /** Writes one message. */
    static void write(Message message, DataOutputStream out) throws IOException {
        switch (message) {
            case Message.Enter(Call call) -> {
                begin(out, ENTER_LENGTH, ENTER);
                out.writeLong(call.number());
                out.writeByte(call.operation().ordinal());
                out.writeInt(call.root());
                out.writeLong(call.lengthBytes());
            }
            case Message.Start(long number, long[] lengths) -> {
                begin(out, CREDIT_LENGTH + Long.BYTES * lengths.length, START);
                out.writeLong(number);
                for (long length : lengths) {
                    out.writeLong(length);
                }
            }
            case Message.Chunk(long number, int source, long offset, byte[] bytes) -> {
                begin(out, 1 + CHUNK_HEADER_BYTES + bytes.length, CHUNK);
                out.writeLong(number);
                out.writeInt(source);
                out.writeLong(offset);
                out.write(bytes);
            }
            case Message.Credit(long number) -> {
                begin(out, CREDIT_LENGTH, CREDIT);
                out.writeLong(number);
            }
            case Message.Overdue(long number, long waitedNs) -> {
                begin(out, OVERDUE_LENGTH, OVERDUE);
                out.writeLong(number);
                out.writeLong(waitedNs);
            }
            case Message.Abort(Failure failure) -> {
                byte[] text = failure.sentence().getBytes(StandardCharsets.UTF_8);
                begin(out, 2 + text.length, ABORT);
                out.writeByte(failure.kind().ordinal());
                out.write(text);
            }
            case Message.Leave() -> begin(out, 1, LEAVE);
            case Message.Left() -> begin(out, 1, LEFT);
            case Message.Welcome(String jobId) -> {
                byte[] text = jobId.getBytes(StandardCharsets.US_ASCII);
                begin(out, 1 + text.length, WELCOME);
                out.write(text);
            }
            case Message.Patience() -> begin(out, 1, PATIENCE);
            case Message.Heartbeat() -> begin(out, 1, HEARTBEAT);
        }
    }

    private static void begin(DataOutputStream out, int length, byte type) throws IOException {
        out.writeInt(length);
        out.writeByte(type);
    }

    /**
     * Reads one message.
     *
     * @throws java.io.EOFException where the connection ends
     * @throws BadFrameException if it is none
     */
    static Message read(DataInputStream in, int worldSize) throws IOException {
        int length = in.readInt();
        if (length < 1 || length > MAX_LENGTH) {
            throw new BadFrameException("frame of length=" + length + ", limit=" + MAX_LENGTH);
        }
        byte type = in.readByte();
        return switch (type) {
            case ENTER -> {
                exactly(type, length, ENTER_LENGTH);
                long number = in.readLong();
                int operation = in.readUnsignedByte();
                if (operation >= Operation.values().length) {
                    throw new BadFrameException("frame with operation=" + operation);
                }
                yield new Message.Enter(new Call(number, Operation.values()[operation], in.readInt(), in.readLong()));
            }
            case START -> {
                exactly(type, length, CREDIT_LENGTH + Long.BYTES * worldSize);
                long number = in.readLong();
                long[] lengths = new long[worldSize];
                for (int rank = 0; rank < worldSize; rank++) {
                    lengths[rank] = in.readLong();
                    if (lengths[rank] < 0) {
                        throw new BadFrameException("frame with contribution=" + lengths[rank] + " bytes");
                    }
                }
                yield new Message.Start(number, lengths);
            }
            case CHUNK -> {
                atLeast(type, length, 2 + CHUNK_HEADER_BYTES);
                yield new Message.Chunk(
                        in.readLong(), in.readInt(), in.readLong(), bytes(in, length - 1 - CHUNK_HEADER_BYTES));
            }
            case CREDIT -> {
                exactly(type, length, CREDIT_LENGTH);
                yield new Message.Credit(in.readLong());
            }
            case OVERDUE -> {
                exactly(type, length, OVERDUE_LENGTH);
                yield new Message.Overdue(in.readLong(), in.readLong());
            }
            case ABORT -> {
                atLeast(type, length, 2);
                atMost(type, length, 2 + MAX_TEXT_BYTES);
                int kind = in.readUnsignedByte();
                if (kind >= Kind.values().length) {
                    throw new BadFrameException("frame with kind=" + kind);
                }
                yield new Message.Abort(
                        new Failure(Kind.values()[kind], new String(bytes(in, length - 2), StandardCharsets.UTF_8)));
            }
            case LEAVE -> only(type, length, new Message.Leave());
            case LEFT -> only(type, length, new Message.Left());
            case WELCOME -> {
                atMost(type, length, 1 + MAX_JOB_ID_BYTES);
                String jobId = new String(bytes(in, length - 1), StandardCharsets.US_ASCII);
                if (!jobId.matches("[A-Za-z0-9-]+")) {
                    throw new BadFrameException("frame with a job id that is none");
                }
                yield new Message.Welcome(jobId);
            }
            case PATIENCE -> only(type, length, new Message.Patience());
            case HEARTBEAT -> only(type, length, new Message.Heartbeat());
            default -> throw new BadFrameException("frame of type=" + type);
        };
    }

    private static byte[] bytes(DataInputStream in, int length) throws IOException {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }

    private static Message only(byte type, int length, Message message) throws BadFrameException {
        exactly(type, length, 1);
        return message;
    }

    private static void exactly(byte type, int length, int wanted) throws BadFrameException {
        atLeast(type, length, wanted);
        atMost(type, length, wanted);
    }

    private static void atLeast(byte type, int length, int least) throws BadFrameException {
        if (length < least) {
            throw new BadFrameException("frame of type=" + type + " with length=" + length + ", least=" + least);
        }
    }

    private static void atMost(byte type, int length, int most) throws BadFrameException {
        if (length > most) {
            throw new BadFrameException("frame of type=" + type + " with length=" + length + ", limit=" + most);
        }
    }
}
