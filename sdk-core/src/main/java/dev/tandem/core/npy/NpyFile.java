package dev.tandem.core.npy;

import dev.tandem.core.SetupException;
import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.Tensor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** One {@code .npy} file open for reading, its header checked against its length. Confined to one thread. */
final class NpyFile implements AutoCloseable {

    /** Bytes that go through memory at a time. */
    static final int CHUNK_BYTES = 1 << 20;

    private static final String DAMAGED = "; save the array again with numpy.save";

    private final Path file;
    private final FileChannel channel;
    private final NpyDescriptor.Header header;
    private final long dataOffset;

    private NpyFile(Path file, FileChannel channel, NpyDescriptor.Header header, long dataOffset) {
        this.file = file;
        this.channel = channel;
        this.header = header;
        this.dataOffset = dataOffset;
    }

    static NpyFile open(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException("it is a folder");
        }
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            NpyFile open = parsed(file, channel);
            open.checkLength();
            return open;
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    private static NpyFile parsed(Path file, FileChannel channel) throws IOException {
        long fileBytes = channel.size();
        int fixed = NpyDescriptor.LENGTH_OFFSET;
        if (fileBytes < fixed + Short.BYTES) {
            throw new SetupException(
                    "too short for a .npy file: " + file + ", bytes=" + fileBytes + ", needed=" + (fixed + Short.BYTES)
                            + " at least" + DAMAGED);
        }
        byte[] start = bytes(file, channel, 0, fixed);
        if (!NpyDescriptor.hasMagic(start)) {
            throw new SetupException("not a .npy file: " + file + ", begins with bytes " + hex(start)
                    + ", wanted 93 4e 55 4d 50 59 (\\x93NUMPY); save the array with numpy.save (.npz archives are not"
                    + " read)");
        }
        int major = start[NpyDescriptor.MAJOR_OFFSET] & 0xff;
        int minor = start[NpyDescriptor.MINOR_OFFSET] & 0xff;
        int lengthBytes = NpyDescriptor.lengthBytes(major, minor);
        if (lengthBytes == 0) {
            throw new SetupException("unknown .npy version: " + file + ", version=" + major + "." + minor
                    + ", wanted 1.0, 2.0 or 3.0" + DAMAGED);
        }
        if (fileBytes < fixed + lengthBytes) {
            throw new SetupException("too short for a .npy file: " + file + ", bytes=" + fileBytes + ", needed="
                    + (fixed + lengthBytes) + " at least" + DAMAGED);
        }
        ByteBuffer length = Npy.little(bytes(file, channel, fixed, lengthBytes));
        long headerBytes = lengthBytes == Short.BYTES ? length.getShort() & 0xffffL : length.getInt() & 0xffff_ffffL;
        long dataOffset = fixed + lengthBytes + headerBytes;
        if (dataOffset > fileBytes) {
            throw new SetupException(
                    "header longer than the file: " + file + ", header=" + headerBytes + " bytes, file="
                            + fileBytes + " bytes" + DAMAGED);
        }
        if (headerBytes > NpyDescriptor.MAX_HEADER_BYTES) {
            throw new SetupException("header too long: " + file + ", header=" + headerBytes + " bytes, limit="
                    + NpyDescriptor.MAX_HEADER_BYTES + DAMAGED);
        }
        try {
            byte[] text = bytes(file, channel, fixed + lengthBytes, (int) headerBytes);
            return new NpyFile(file, channel, HeaderParser.parse(Npy.latin(text)), dataOffset);
        } catch (HeaderParser.BadHeader e) {
            throw new SetupException("bad .npy header: " + file + ", " + e.getMessage()
                    + (e.getMessage().contains(";") ? "" : DAMAGED), e);
        }
    }

    private void checkLength() throws IOException {
        long elementBytes = dtypeOrNull() == null ? 0 : dtypeOrNull().bytes();
        if (elementBytes == 0) {
            throw new SetupException("dtype not supported: " + file + " holds " + header.describe()
                    + ", wanted f2, f4, f8, i4, i8, or u2 for bf16; convert the array with astype (bf16: save its bits"
                    + " as uint16)");
        }
        long wanted = elementBytes;
        try {
            for (long size : header.shape()) {
                // As if no size were 0, so that the strides of the tensor cannot overflow either.
                wanted = Math.multiplyExact(wanted, Math.max(1, size));
            }
        } catch (ArithmeticException e) {
            throw new SetupException("shape too large: " + file + " holds " + header.describe() + ", limit="
                    + Long.MAX_VALUE + " bytes" + DAMAGED, e);
        }
        if (Arrays.stream(header.shape()).anyMatch(size -> size == 0)) {
            wanted = 0;
        }
        long there = channel.size() - dataOffset;
        if (there < wanted) {
            throw new SetupException("truncated: " + file + " holds " + there + " bytes of elements, its header "
                    + header.describe() + " needs " + wanted + "; copy or save the file again");
        }
        if (there > wanted) {
            throw new SetupException("trailing bytes: " + file + " holds " + there + " bytes of elements, its header "
                    + header.describe() + " needs " + wanted + "; save one array a file");
        }
    }

    /** The type that the file says; {@code u2} counts as bf16 here. */
    private DType dtypeOrNull() {
        for (DType type : DType.values()) {
            if (NpyDescriptor.code(type).equals(header.code())) {
                return type;
            }
        }
        return null;
    }

    DType dtype() {
        DType type = dtypeOrNull();
        if (type == DType.BF16) {
            throw new SetupException("uint16 in the file: " + file + " holds " + header.describe()
                    + ", wanted f2, f4, f8, i4 or i8; ask for bf16 if these are the bits of bf16 values");
        }
        return type;
    }

    long[] shape() {
        return header.shape();
    }

    void require(DType wanted) {
        if (dtypeOrNull() != wanted) {
            throw new SetupException("wrong dtype: " + file + " holds " + header.describe() + ", wanted '<"
                    + NpyDescriptor.code(wanted) + "' for " + wanted + "; convert the array or ask for its own dtype");
        }
    }

    void require(long[] wanted) {
        if (!Arrays.equals(header.shape(), wanted)) {
            throw new SetupException("wrong shape: " + file + " holds " + header.describe() + ", wanted "
                    + NpyDescriptor.tuple(wanted) + "; pass an array of that shape or ask for another");
        }
    }

    /** Reads the elements into a tensor of this shape and type. */
    void readInto(Tensor tensor) throws IOException {
        if (tensor.elements() == 0) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            ElementReader reader = new ElementReader(arena, tensor.dtype().bytes());
            Lines lines = new Lines(tensor, header.fortran());
            do {
                reader.next(tensor.segment(), lines.offset(), lines.length(), lines.stride());
            } while (lines.next());
        }
    }

    /** Hands out the file's elements one after the other. */
    private final class ElementReader {
        private final MemorySegment chunk;
        private final int size;
        private long position = dataOffset;
        private long used;
        private long filled;

        ElementReader(Arena arena, int size) {
            this.chunk = arena.allocate(CHUNK_BYTES, 8);
            this.size = size;
        }

        void next(MemorySegment target, long offset, long count, long stride) throws IOException {
            for (long done = 0; done < count;) {
                if (used == filled) {
                    fill();
                }
                long n = Math.min(count - done, (filled - used) / size);
                Lines.copy(chunk, used, size, target, (offset + done * stride) * size, stride * size, n, size,
                        header.order() != ByteOrder.nativeOrder());
                used += n * size;
                done += n;
            }
        }

        private void fill() throws IOException {
            long bytes = Math.min(CHUNK_BYTES, channel.size() - position);
            bytes -= bytes % size;
            if (bytes <= 0) {
                throw shorter(file);
            }
            readFully(file, channel, position, Npy.buffer(chunk, 0, bytes));
            position += bytes;
            used = 0;
            filled = bytes;
        }
    }

    private static byte[] bytes(Path file, FileChannel channel, long position, int count) throws IOException {
        byte[] bytes = new byte[count];
        readFully(file, channel, position, ByteBuffer.wrap(bytes));
        return bytes;
    }

    private static void readFully(Path file, FileChannel channel, long position, ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            int n = channel.read(into, position);
            if (n < 0) {
                throw shorter(file);
            }
            position += n;
        }
    }

    private static SetupException shorter(Path file) {
        return new SetupException("file became shorter while it was read: " + file + "; read it when it is complete");
    }

    private static String hex(byte[] start) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < NpyDescriptor.MAJOR_OFFSET; i++) {
            text.append(i == 0 ? "" : " ")
                    .append(Character.forDigit(start[i] >> 4 & 15, 16))
                    .append(Character.forDigit(start[i] & 15, 16));
        }
        return text.toString();
    }

    /** Writes header and elements at the channel's position. */
    static void write(FileChannel channel, Tensor tensor) throws IOException {
        writeFully(channel, ByteBuffer.wrap(NpyDescriptor.encode(tensor.dtype(), tensor.shape())));
        if (tensor.elements() == 0) {
            return;
        }
        int size = tensor.dtype().bytes();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment chunk = arena.allocate(CHUNK_BYTES, 8);
            long used = 0;
            boolean swap = ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN;
            Lines lines = new Lines(tensor, false);
            do {
                for (long done = 0; done < lines.length();) {
                    long n = Math.min(lines.length() - done, (CHUNK_BYTES - used) / size);
                    Lines.copy(tensor.segment(), (lines.offset() + done * lines.stride()) * size,
                            lines.stride() * size, chunk, used, size, n, size, swap);
                    done += n;
                    used += n * size;
                    if (used == CHUNK_BYTES) {
                        writeFully(channel, Npy.buffer(chunk, 0, used));
                        used = 0;
                    }
                }
            } while (lines.next());
            writeFully(channel, Npy.buffer(chunk, 0, used));
        }
    }

    private static void writeFully(FileChannel channel, ByteBuffer from) throws IOException {
        while (from.hasRemaining()) {
            channel.write(from);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
