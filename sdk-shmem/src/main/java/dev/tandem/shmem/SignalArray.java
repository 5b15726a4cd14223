package dev.tandem.shmem;

import dev.tandem.core.Check;
import dev.tandem.core.TimedOutException;
import dev.tandem.core.world.Deadline;
import dev.tandem.core.world.Idle;
import dev.tandem.shmem.internal.HeapLayout;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * An array of 64-bit signals on every rank, each alone on its cache line, all 0 at first.
 *
 * <table>
 * <caption>Which store pairs with which load</caption>
 * <tr><th>store</th><th>order</th><th>load</th><th>order</th></tr>
 * <tr><td>{@link #set}</td><td>release</td><td>{@link #waitUntil(long, Comparison, long) waitUntil}, {@link #read(long)
 * read}</td><td>acquire</td></tr>
 * <tr><td>{@link #add}</td><td>atomic, release and acquire</td><td>the same</td><td>acquire</td></tr>
 * </table>
 *
 * <p>A rank that sees a value sees everything that its writer stored, to any rank's memory, before it. The order is that of
 * the Java memory model, which holds between the processes too, since they share the memory itself. Thread-safe.
 */
public final class SignalArray implements AutoCloseable {

    private final SymmetricHeap heap;
    private final SymmetricHeap.Block block;
    private final List<String> dimensions;
    private final int[] sizes;
    private final long length;
    private final MemorySegment[] copies;

    SignalArray(SymmetricHeap heap, SymmetricHeap.Block block, List<String> dimensions, int[] sizes, long length) {
        this.heap = heap;
        this.block = block;
        this.dimensions = dimensions;
        this.sizes = sizes;
        this.length = length;
        this.copies = new MemorySegment[heap.size()];
        for (int rank = 0; rank < copies.length; rank++) {
            copies[rank] = heap.segmentOf(rank, block);
        }
    }

    /**
     * Names the array, for messages.
     *
     * @return the name it was created with
     */
    public String name() {
        return block.name();
    }

    /**
     * Says how many signals each rank has.
     *
     * @return the product of all dimensions
     */
    public long length() {
        return length;
    }

    /**
     * Finds a signal by its index in every dimension.
     *
     * @param index one index a dimension
     * @return the slot, last dimension fastest
     */
    public long slot(int... index) {
        Check.that(index.length == sizes.length, "wrong number of indices: " + name() + " has " + sizes.length
                + " dimensions, given=" + index.length + "; pass one a dimension");
        long slot = 0;
        for (int d = 0; d < sizes.length; d++) {
            slot = slot * sizes[d] + Check.index(index[d], sizes[d], dimensions.get(d));
        }
        return slot;
    }

    /**
     * Says what a slot stands for.
     *
     * @param slot the slot
     * @return such as {@code ready[source=1, block=3]}
     */
    public String describe(long slot) {
        StringBuilder text = new StringBuilder("]");
        long rest = Check.index(slot, length, "slot");
        for (int d = sizes.length - 1; d >= 0; d--) {
            text.insert(0, dimensions.get(d) + "=" + rest % sizes[d]).insert(0, d > 0 ? ", " : "[");
            rest /= sizes[d];
        }
        return text.insert(0, name()).toString();
    }

    /**
     * Sets a signal of a rank: a release store.
     *
     * @param peer whose signal
     * @param slot which
     * @param value its new value
     */
    public void set(int peer, long slot, long value) {
        HeapLayout.WORD.setRelease(copy(peer), offset(slot), value);
    }

    /**
     * Adds to a signal of a rank, atomically.
     *
     * @param peer whose signal
     * @param slot which
     * @param delta what is added
     */
    public void add(int peer, long slot, long delta) {
        long _ = (long) HeapLayout.WORD.getAndAdd(copy(peer), offset(slot), delta);
    }

    /**
     * Reads a signal of this rank: an acquire load.
     *
     * @param slot which
     * @return its value
     */
    public long read(long slot) {
        return read(heap.rank(), slot);
    }

    /**
     * Reads a signal of a rank: an acquire load.
     *
     * @param rank whose signal
     * @param slot which
     * @return its value
     */
    public long read(int rank, long slot) {
        return (long) HeapLayout.WORD.getAcquire(copy(rank), offset(slot));
    }

    /**
     * Waits for a signal of this rank.
     *
     * @param slot which
     * @param comparison how its value is compared
     * @param wanted with what
     * @return what reading the data behind the signal takes
     * @throws TimedOutException after the world's timeout, naming array, slot, the value wanted and the value seen
     */
    public Token waitUntil(long slot, Comparison comparison, long wanted) {
        return waitUntil(heap.rank(), slot, comparison, wanted, Idle.spinYieldSleep());
    }

    /**
     * Waits for a signal of any rank.
     *
     * @param rank whose signal
     * @param slot which
     * @param comparison how its value is compared
     * @param wanted with what
     * @param idle what to do between two looks
     * @return what reading the data behind the signal takes
     * @throws TimedOutException after the world's timeout, naming array, slot, the value wanted and the value seen
     */
    public Token waitUntil(int rank, long slot, Comparison comparison, long wanted, Idle idle) {
        Deadline deadline = null;
        for (int turn = 0; !comparison.holds(read(rank, slot), wanted); turn++) {
            heap.world().checkAlive();
            if (deadline == null) {
                deadline = heap.world().deadline();
            } else if (deadline.passed()) {
                throw new TimedOutException("wait timed out: rank=" + heap.rank() + ", signal=" + describe(slot)
                        + " of rank " + rank + ", wanted " + comparison + " " + wanted + ", seen=" + read(rank, slot)
                        + ", waited=" + deadline.elapsedNs() / 1_000_000 + " ms; look at who was to write it");
            }
            idle.idle(turn);
        }
        return Token.PASSED;
    }

    private MemorySegment copy(int rank) {
        heap.requireOpen(block);
        return copies[Check.index(rank, copies.length, "rank")];
    }

    private long offset(long slot) {
        return Check.index(slot, length, "slot") * HeapLayout.LINE_BYTES;
    }

    /** Queues the block for release; its memory is reused after the next collective call at which all ranks have closed it. */
    @Override
    public void close() {
        heap.release(block);
    }
}
