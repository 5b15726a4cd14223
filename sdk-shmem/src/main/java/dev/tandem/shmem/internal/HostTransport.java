package dev.tandem.shmem.internal;

import dev.tandem.core.SetupException;
import dev.tandem.core.UsageException;
import dev.tandem.core.world.SharedMemoryFiles;
import dev.tandem.core.world.World;
import dev.tandem.shmem.transport.Transport;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Ranks of one machine: each makes one shared-memory file of its own, mode 0600, everyone maps everyone, and the names are
 * unlinked as soon as all have mapped, so that a killed job leaves nothing behind.
 *
 * <p>A file is sparse at first. A block is reserved by writing zeros into the part of it that was never reserved before: a
 * full file system is then an error of the write, and never a SIGBUS of a later access; it needs no native call.
 */
public final class HostTransport implements Transport {

    private static final long DEFAULT_HEAP_BYTES = 1L << 30;
    private static final int ZEROS_BYTES = 1 << 20;

    private final Arena arena = Arena.ofShared();
    private final List<MemorySegment> segments = new ArrayList<>();
    private final Path folder;
    private final Path file;
    private FileChannel channel;
    private long heapBytes;
    private long reservedTo;

    private HostTransport(Path folder, String name) {
        this.folder = folder;
        this.file = folder.resolve(name);
    }

    /**
     * Collective. Maps the heaps of all ranks.
     *
     * @param world the ranks, all on this machine
     * @param wantedBytes size of each heap; 0 for 1 GiB, or less if the file system has less than twice that free a rank
     * @param environment the process's variables: TANDEM_SHM_DIR names the folder
     * @return the transport
     * @throws SetupException on all ranks if any rank cannot map all heaps
     */
    public static HostTransport open(World world, long wantedBytes, Map<String, String> environment) {
        requireOneMachine(world);
        Path folder = SharedMemoryFiles.folder(environment);
        HostTransport transport = new HostTransport(folder, SharedMemoryFiles.name(world.jobId(), world.rank()));
        try {
            requireEqualSizes(world, wantedBytes);
            agree(world, () -> transport.create(world, wantedBytes));
            transport.heapBytes = smallest(world, transport.heapBytes);
            agree(world, transport::mapOwn);
            agree(world, () -> transport.mapAll(world));
            return transport;
        } catch (RuntimeException failed) {
            transport.close();
            throw failed;
        } finally {
            transport.unlink();
        }
    }

    private static void requireOneMachine(World world) {
        if (world.localSize() != world.size()) {
            throw new SetupException("ranks on several machines: ranks=" + world.size() + ", of them here="
                    + world.localSize() + "; shared memory reaches one machine, start all ranks on it");
        }
    }

    private static void requireEqualSizes(World world, long mine) {
        List<String> sizes = world.group().allGather(Long.toString(mine));
        if (sizes.stream().distinct().count() > 1) {
            throw new UsageException("ranks ask for different heaps: --heap by rank=" + sizes
                    + " bytes (0: as Tandem chooses); give all ranks the same");
        }
    }

    /** A step that may fail on one rank and must then fail on all. */
    private interface Step {

        void run() throws IOException;
    }

    private static void agree(World world, Step step) {
        String problem = "";
        SetupException own = null;
        try {
            step.run();
        } catch (SetupException failed) {
            own = failed;
            problem = failed.getMessage();
        } catch (IOException | RuntimeException failed) {
            own = new SetupException("cannot map shared memory: " + reason(failed)
                    + "; set TANDEM_SHM_DIR to a folder in memory that can be written", failed);
            problem = own.getMessage();
        }
        List<String> problems = world.group().allGather(problem);
        if (own != null) {
            throw own;
        }
        for (int rank = 0; rank < problems.size(); rank++) {
            if (!problems.get(rank).isEmpty()) {
                throw new SetupException("rank " + rank + " has no symmetric heap: " + problems.get(rank));
            }
        }
    }

    private static String reason(Exception failed) {
        return failed.getMessage() == null ? failed.getClass().getSimpleName() : failed.getMessage();
    }

    private static long smallest(World world, long mine) {
        return world.group().allGather(Long.toString(mine)).stream().mapToLong(Long::parseLong).min().orElse(mine);
    }

    private void create(World world, long wantedBytes) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new SetupException(
                    "no folder for shared memory: TANDEM_SHM_DIR=" + folder + "; name one that exists");
        }
        long free = Files.getFileStore(folder).getUsableSpace();
        if (wantedBytes > 0 && wantedBytes > free / world.localSize()) {
            throw new SetupException(
                    "heap larger than free shared memory: --heap=" + wantedBytes + " bytes a rank, ranks here="
                            + world.localSize() + ", free=" + free + " bytes in " + folder
                            + "; ask for less, or give the folder more room");
        }
        heapBytes = wantedBytes > 0 ? wantedBytes : Math.min(DEFAULT_HEAP_BYTES, free / world.localSize() / 2);
        heapBytes = heapBytes / HeapLayout.LINE_BYTES * HeapLayout.LINE_BYTES;
        if (heapBytes <= HeapLayout.BLOCKS_OFFSET) {
            throw new SetupException("heap too small: --heap=" + heapBytes + " bytes, its own need="
                    + HeapLayout.BLOCKS_OFFSET + " bytes, free=" + free + " bytes in " + folder + "; ask for more");
        }
        channel = FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
                StandardOpenOption.WRITE), ownerOnly());
    }

    private static FileAttribute<?>[] ownerOnly() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[]{
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))}
                : new FileAttribute<?>[0];
    }

    private void mapOwn() throws IOException {
        MemorySegment own = channel.map(FileChannel.MapMode.READ_WRITE, 0, heapBytes, arena);
        reserve(0, HeapLayout.BLOCKS_OFFSET);
        HeapLayout.WORD.setRelease(own, HeapLayout.MAGIC_OFFSET, HeapLayout.MAGIC);
    }

    private void mapAll(World world) throws IOException {
        for (int rank = 0; rank < world.size(); rank++) {
            Path peer = folder.resolve(SharedMemoryFiles.name(world.jobId(), rank));
            try (FileChannel opened = FileChannel.open(peer, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                MemorySegment heap = opened.map(FileChannel.MapMode.READ_WRITE, 0, heapBytes, arena);
                long magic = (long) HeapLayout.WORD.getAcquire(heap, HeapLayout.MAGIC_OFFSET);
                if (magic != HeapLayout.MAGIC) {
                    throw new SetupException("not a heap of this version: file=" + peer + ", magic="
                            + Long.toHexString(magic) + "; run the same Tandem on all ranks");
                }
                segments.add(heap);
            }
        }
    }

    private void unlink() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException stillMapped) {
            // a system that cannot unlink a mapped file: close() does it
        }
    }

    @Override
    public long heapBytes() {
        return heapBytes;
    }

    @Override
    public MemorySegment segment(int rank) {
        return segments.get(rank);
    }

    @Override
    public synchronized void reserve(long offset, long bytes) {
        long end = offset + bytes;
        ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS_BYTES, Math.max(0, end - reservedTo)));
        try {
            while (reservedTo < end) {
                zeros.clear().limit((int) Math.min(zeros.capacity(), end - reservedTo));
                reservedTo += channel.write(zeros, reservedTo);
            }
        } catch (IOException full) {
            throw new SetupException("shared memory is full: wanted=" + bytes + " bytes, reserved=" + reservedTo
                    + " bytes, folder=" + folder + ", cause=" + reason(full)
                    + "; give the folder more room, or run smaller shapes or fewer ranks", full);
        }
    }

    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException failed) {
            throw new SetupException("cannot close shared memory: file=" + file + ", cause=" + reason(failed), failed);
        } finally {
            unlink();
        }
    }
}
