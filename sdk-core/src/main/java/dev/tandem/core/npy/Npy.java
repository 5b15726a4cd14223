package dev.tandem.core.npy;

import dev.tandem.core.Check;
import dev.tandem.core.SetupException;
import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.Tensor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Reads and writes NumPy {@code .npy} files.
 *
 * <p>Read: versions 1.0, 2.0 and 3.0; C and Fortran order (the tensor is row-major in any case); little and big endian; fp16, fp32, fp64,
 * int32, int64. bf16 is read from {@code uint16} elements, which are its bits, when the caller asks for bf16. Nothing is converted to
 * another type. Written: version 1.0, C order, little endian, byte for byte as NumPy does; bf16 as {@code '<u2'}.
 *
 * <p>A file must be exactly as long as its header says. Whatever is wrong with one is a {@link SetupException} of one sentence that
 * names the file, what is there and what was wanted; a tensor that was being read into is untouched unless the file changed meanwhile.
 *
 * <p>Files may be larger than 2 GiB; memory beside the tensor is about 1 MiB. Stateless and thread-safe.
 */
public final class Npy {

    private Npy() {
    }

    /**
     * Reads a file of any shape and of the type that it says.
     *
     * @param file the file; not of {@code uint16}, which is no type of ours unless bf16 is asked for
     * @param arena owns the tensor's memory
     * @return a new, contiguous tensor
     * @throws SetupException if the file cannot be read, is damaged or holds another type
     */
    public static Tensor read(Path file, Arena arena) {
        Check.notNull(arena, "arena");
        try (NpyFile open = NpyFile.open(Check.notNull(file, "file"))) {
            Tensor tensor = Tensor.allocate(arena, open.dtype(), open.shape());
            open.readInto(tensor);
            return tensor;
        } catch (IOException e) {
            throw cannotRead(file, e);
        }
    }

    /**
     * Reads a file of any shape and a given type.
     *
     * @param file the file
     * @param arena owns the tensor's memory
     * @param dtype the type that the elements must have; bf16 means {@code uint16} in the file
     * @return a new, contiguous tensor
     * @throws SetupException if the file cannot be read, is damaged or holds another type
     */
    public static Tensor read(Path file, Arena arena, DType dtype) {
        Check.notNull(arena, "arena");
        Check.notNull(dtype, "dtype");
        try (NpyFile open = NpyFile.open(Check.notNull(file, "file"))) {
            open.require(dtype);
            Tensor tensor = Tensor.allocate(arena, dtype, open.shape());
            open.readInto(tensor);
            return tensor;
        } catch (IOException e) {
            throw cannotRead(file, e);
        }
    }

    /**
     * Reads a file of a given shape and type.
     *
     * @param file the file
     * @param target takes the elements; the file must have its shape and type (bf16 means {@code uint16} in the file)
     * @return {@code target}
     * @throws SetupException if the file cannot be read, is damaged or holds another shape or type
     */
    public static Tensor readInto(Path file, Tensor target) {
        Check.notNull(target, "target");
        try (NpyFile open = NpyFile.open(Check.notNull(file, "file"))) {
            open.require(target.dtype());
            open.require(target.shape());
            open.readInto(target);
            return target;
        } catch (IOException e) {
            throw cannotRead(file, e);
        }
    }

    /**
     * Writes a file. It appears whole or not at all: it is written under another name in the same folder and then moved, over a
     * file of that name if there is one.
     *
     * @param file the file; its folder must exist
     * @param tensor what is written; may be a view with gaps
     * @throws SetupException if the file cannot be written; nothing is left of it then
     */
    public static void write(Path file, Tensor tensor) {
        Check.notNull(tensor, "tensor");
        Path target = Check.notNull(file, "file").toAbsolutePath();
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(target)) {
            throw new SetupException("cannot write " + file + ": something that is no regular file has this name;"
                    + " choose another name");
        }
        Path part = target.resolveSibling(
                "." + target.getFileName() + "." + ProcessHandle.current().pid() + "-" + System.nanoTime() + ".part");
        try {
            try (FileChannel channel = FileChannel.open(part, StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE)) {
                NpyFile.write(channel, tensor);
            }
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            SetupException failure = new SetupException(
                    "cannot write " + file + ": " + reason(e, "its folder does not exist") + "; choose another place",
                    e);
            removed(part, failure);
            throw failure;
        } catch (RuntimeException | Error e) {
            removed(part, e);
            throw e;
        }
    }

    private static void removed(Path part, Throwable failure) {
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private static SetupException cannotRead(Path file, IOException e) {
        return new SetupException("cannot read " + file + ": " + reason(e, "there is no such file")
                + "; pass a .npy file that this user may read", e);
    }

    private static String reason(IOException e, String missing) {
        return switch (e) {
            case NoSuchFileException x -> missing;
            case AccessDeniedException x -> "permission denied";
            default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        };
    }

    /** The bytes as chars, one each, so that nothing is lost or decoded. */
    static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** A little-endian view of bytes. */
    static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** A buffer over part of a segment. */
    static ByteBuffer buffer(MemorySegment segment, long offset, long bytes) {
        return segment.asSlice(offset, bytes).asByteBuffer();
    }
}
