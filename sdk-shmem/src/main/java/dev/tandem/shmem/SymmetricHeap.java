package dev.tandem.shmem;

import dev.tandem.core.Check;
import dev.tandem.core.SetupException;
import dev.tandem.core.TimedOutException;
import dev.tandem.core.UsageException;
import dev.tandem.core.launch.JobSettings;
import dev.tandem.core.tensor.DType;
import dev.tandem.core.world.Idle;
import dev.tandem.core.world.World;
import dev.tandem.shmem.internal.Allocator;
import dev.tandem.shmem.internal.HeapLayout;
import dev.tandem.shmem.internal.HostTransport;
import dev.tandem.shmem.transport.Transport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Memory that every rank allocates alike, so that an offset names the same object on every rank.
 *
 * <p>Creating is collective and always checked: all ranks create the same things in the same order, and a mismatch is an
 * error on all of them that names each rank's call. Closing a tensor or a signal array only queues it; its memory is reused
 * at the next create at which every rank has closed it.
 *
 * <p>Thread-safe; collective methods are called by one thread of a rank at a time.
 */
public final class SymmetricHeap implements AutoCloseable {

    private final World world;
    private final Transport transport;
    private final Allocator allocator;
    private final Map<Long, Block> closing = new TreeMap<>();
    private long sequence;
    private final RankBarrier hostBarrier;
    private final RankBarrier kernelBarrier;
    private volatile boolean closed;

    private SymmetricHeap(World world, Transport transport) {
        this.world = world;
        this.transport = transport;
        this.allocator = new Allocator(HeapLayout.BLOCKS_OFFSET, transport.heapBytes());
        this.hostBarrier = new RankBarrier(world, transport, HeapLayout.HOST_BARRIER_OFFSET);
        this.kernelBarrier = new RankBarrier(world, transport, HeapLayout.KERNEL_BARRIER_OFFSET);
    }

    /**
     * Collective. Opens the heap on the ranks of one machine.
     *
     * @param world the ranks
     * @param settings the job's settings: how large a heap is asked for
     * @return this rank's heap
     * @throws SetupException on all ranks if one has no room or cannot map the others
     */
    public static SymmetricHeap open(World world, JobSettings settings) {
        Check.notNull(world, "world");
        return new SymmetricHeap(world, HostTransport.open(world, settings.heapBytes(), System.getenv()));
    }

    /** A block of the heap. */
    static final class Block {

        private final long id;
        private final String name;
        private final long offset;
        private final long bytes;
        private volatile boolean open = true;

        private Block(long id, String name, long offset, long bytes) {
            this.id = id;
            this.name = name;
            this.offset = offset;
            this.bytes = bytes;
        }

        String name() {
            return name;
        }
    }

    /**
     * Says which rank's heap this is.
     *
     * @return the rank
     */
    public int rank() {
        return world.rank();
    }

    /**
     * Says how many ranks share the heap.
     *
     * @return the number of ranks
     */
    public int size() {
        return world.size();
    }

    /**
     * Collective. Creates a tensor on every rank. Its contents are undefined.
     *
     * @param name what messages call it
     * @param dtype the element type
     * @param shape sizes by dimension
     * @return the tensor
     * @throws UsageException on all ranks if the ranks do not ask for the same
     * @throws SetupException on all ranks if the heap or the machine has no room; says how much is free
     */
    public SymmetricTensor createTensor(String name, DType dtype, long... shape) {
        Check.notNull(name, "name");
        Check.notNull(dtype, "dtype");
        long bytes = dtype.bytes();
        for (long size : shape) {
            bytes = multiply(bytes, Check.notNegative(size, "size of " + name), name);
        }
        Block block = create("tensor", name, dtype + " " + Arrays.toString(shape), bytes, false);
        return new SymmetricTensor(this, block, dtype, shape.clone());
    }

    /**
     * Collective. Creates an array of signals on every rank, all 0.
     *
     * @param name what messages call it
     * @param dimensions names of its dimensions, such as {@code source, block}
     * @param sizes sizes by dimension
     * @return the array
     * @throws UsageException on all ranks if the ranks do not ask for the same
     * @throws SetupException on all ranks if the heap or the machine has no room; says how much is free
     */
    public SignalArray createSignals(String name, List<String> dimensions, int... sizes) {
        Check.notNull(name, "name");
        Check.that(dimensions.size() == sizes.length && sizes.length > 0, "dimensions do not fit: " + name + " names="
                + dimensions + ", sizes=" + Arrays.toString(sizes) + "; give each a name and a size");
        long length = 1;
        for (int size : sizes) {
            length = multiply(length, Check.positive(size, "size of " + name), name);
        }
        long bytes = multiply(length, HeapLayout.LINE_BYTES, name);
        Block block = create("signals", name, dimensions + " " + Arrays.toString(sizes), bytes, true);
        return new SignalArray(this, block, List.copyOf(dimensions), sizes.clone(), length);
    }

    private static long multiply(long a, long b, String name) {
        try {
            return Math.multiplyExact(a, b);
        } catch (ArithmeticException overflow) {
            throw new UsageException("too large: " + name + " has more than 2^63 bytes; make it smaller", overflow);
        }
    }

    private synchronized Block create(String kind, String name, String form, long bytes, boolean zeroed) {
        requireOpen();
        long id = sequence++;
        String call = "#" + id + " " + kind + " " + name + " " + form + ", " + bytes + " bytes";
        List<String> calls = world.group().allGather(call);
        for (int rank = 1; rank < calls.size(); rank++) {
            if (!calls.get(rank).equals(calls.get(0))) {
                throw new UsageException("ranks create different things: rank 0 creates " + calls.get(0) + ", rank "
                        + rank
                        + " creates " + calls.get(rank) + "; make the same calls in the same order on all ranks");
            }
        }
        reuseWhatAllHaveClosed();
        OptionalLong offset = allocator.allocate(bytes);
        if (offset.isEmpty()) {
            throw new SetupException("symmetric heap exhausted: " + name + " wants " + bytes + " bytes, free="
                    + allocator.freeBytes() + " bytes, largest hole=" + allocator.largestHoleBytes() + " bytes, heap="
                    + transport.heapBytes() + " bytes; ask for a larger one with --heap");
        }
        Block block = new Block(id, name, offset.getAsLong(), bytes);
        reserveOnAllRanks(block, zeroed);
        return block;
    }

    private void reserveOnAllRanks(Block block, boolean zeroed) {
        SetupException own = null;
        try {
            transport.reserve(block.offset, block.bytes);
            if (zeroed) {
                segmentOf(rank(), block).fill((byte) 0);
            }
        } catch (SetupException full) {
            own = full;
        }
        List<String> problems = world.group().allGather(own == null ? "" : own.getMessage());
        for (int rank = 0; rank < problems.size(); rank++) {
            if (!problems.get(rank).isEmpty()) {
                allocator.free(block.offset);
                throw own != null
                        ? own
                        : new SetupException(
                                "rank " + rank + " cannot create " + block.name + ": " + problems.get(rank));
            }
        }
    }

    private void reuseWhatAllHaveClosed() {
        StringBuilder mine = new StringBuilder();
        closing.keySet().forEach(id -> mine.append(id).append(' '));
        Set<Long> agreed = new HashSet<>(closing.keySet());
        for (String ids : world.group().allGather(mine.toString())) {
            Set<Long> theirs = new HashSet<>();
            for (String id : ids.isBlank() ? new String[0] : ids.trim().split(" ")) {
                theirs.add(Long.parseLong(id));
            }
            agreed.retainAll(theirs);
        }
        for (Long id : new ArrayList<>(closing.keySet())) {
            if (agreed.contains(id)) {
                allocator.free(closing.remove(id).offset);
            }
        }
    }

    /**
     * Collective. Returns after all ranks have come; what any rank stored before is then seen by all. This is the barrier of
     * host code: it never meets one that a running kernel is in.
     *
     * @return what reading the data behind the barrier takes
     * @throws TimedOutException after the world's timeout, naming the ranks that have not come
     */
    public Token barrierAll() {
        requireOpen();
        return hostBarrier.await(Idle.spinYieldSleep());
    }

    /**
     * Collective among the kernels that run on all ranks, called by one part of each for all of its parts. As
     * {@link #barrierAll()}, but in a sequence of its own, so that hosts may meet while their kernels do.
     *
     * @param idle what to do between two looks
     * @return what reading the data behind the barrier takes
     * @throws TimedOutException after the world's timeout, naming the ranks that have not come
     */
    public Token barrierAll(Idle idle) {
        requireOpen();
        return kernelBarrier.await(idle);
    }

    /** Orders this thread's earlier stores to every rank before its later ones. */
    public void fence() {
        requireOpen();
        java.lang.invoke.VarHandle.fullFence();
    }

    /** Completes this thread's stores to every rank. On memory that the ranks share, as {@link #fence()}. */
    public void quiet() {
        fence();
    }

    World world() {
        return world;
    }

    MemorySegment segmentOf(int rank, Block block) {
        return transport.segment(rank).asSlice(block.offset, block.bytes);
    }

    void requireOpen(Block block) {
        if (!block.open || closed) {
            throw new UsageException(
                    "use after close: " + block.name + (block.open ? " of a closed heap" : " is closed")
                            + "; use it before closing it");
        }
    }

    private void requireOpen() {
        Check.that(!closed, "use after close: the symmetric heap is closed; use it before closing it");
    }

    synchronized void release(Block block) {
        if (block.open) {
            block.open = false;
            closing.put(block.id, block);
        }
    }

    /**
     * Lets go of the memory; what was created here fails from then on. Not collective and waits for nobody: the other ranks
     * have mappings of their own, which stay. Idempotent.
     */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            transport.close();
        }
    }
}
