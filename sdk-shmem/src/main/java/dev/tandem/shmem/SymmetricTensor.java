package dev.tandem.shmem;

import dev.tandem.core.Check;
import dev.tandem.core.UsageException;
import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.MatrixView;
import dev.tandem.core.tensor.Tensor;
import java.lang.foreign.MemorySegment;

/**
 * A typed block of the symmetric heap: the same type, shape and offset on every rank.
 *
 * <p>Thread-safe; what is read and written is ordered by signals and barriers only. Fresh contents are undefined.
 */
public final class SymmetricTensor implements AutoCloseable {

    private final SymmetricHeap heap;
    private final SymmetricHeap.Block block;
    private final Tensor[] copies;
    private final MatrixView[] matrices;

    SymmetricTensor(SymmetricHeap heap, SymmetricHeap.Block block, DType dtype, long[] shape) {
        this.heap = heap;
        this.block = block;
        this.copies = new Tensor[heap.size()];
        this.matrices = new MatrixView[heap.size()];
        long cols = shape.length == 0 ? 1 : shape[shape.length - 1];
        for (int rank = 0; rank < copies.length; rank++) {
            copies[rank] = Tensor.of(heap.segmentOf(rank, block), dtype, shape);
            long elements = copies[rank].elements();
            matrices[rank] = new MatrixView(copies[rank].segment(), dtype, 0, cols == 0 ? 0 : elements / cols, cols,
                    cols);
        }
    }

    /**
     * Names the tensor, for messages.
     *
     * @return the name it was created with
     */
    public String name() {
        return block.name();
    }

    /**
     * Gives the element type.
     *
     * @return the type
     */
    public DType dtype() {
        return copies[0].dtype();
    }

    /**
     * Gives the shape.
     *
     * @return sizes by dimension; a copy
     */
    public long[] shape() {
        return copies[0].shape();
    }

    /**
     * Gives this rank's copy.
     *
     * @return a view of the heap's memory
     */
    public Tensor local() {
        return at(heap.rank());
    }

    /**
     * Gives a rank's copy, addressed directly.
     *
     * @param rank the rank
     * @return a view of that rank's memory
     */
    public Tensor at(int rank) {
        heap.requireOpen(block);
        return copies[Check.index(rank, copies.length, "rank")];
    }

    /**
     * Gives a rank's copy as a matrix; more than two dimensions are flattened to rows of the last one.
     *
     * @param rank the rank
     * @return a view of that rank's memory
     */
    public MatrixView matrixAt(int rank) {
        heap.requireOpen(block);
        return matrices[Check.index(rank, matrices.length, "rank")];
    }

    /**
     * Copies into a rank's copy. Returns when {@code source} may be reused; the target sees the data after a later release
     * (signal, barrier) of this rank and its own acquire of that.
     *
     * @param peer the rank that gets the data
     * @param offset first element there
     * @param source contiguous elements of this tensor's type; must not overlap the target
     */
    public void put(int peer, long offset, Tensor source) {
        copy(source, at(peer), offset, true);
    }

    /**
     * Copies from a rank's copy.
     *
     * @param peer the rank that has the data
     * @param offset first element there
     * @param target contiguous elements of this tensor's type, which are overwritten; must not overlap the source
     */
    public void get(int peer, long offset, Tensor target) {
        copy(target, at(peer), offset, false);
    }

    private void copy(Tensor own, Tensor remote, long offset, boolean put) {
        Check.notNull(own, put ? "source" : "target");
        if (own.dtype() != dtype() || !own.isContiguous()) {
            throw new UsageException("cannot copy: tensor=" + name() + " of " + dtype() + ", other=" + own
                    + (own.isContiguous() ? "" : " with gaps") + "; pass contiguous elements of the same type");
        }
        Check.range(offset, own.elements(), remote.elements(), name());
        long bytes = own.byteSize();
        MemorySegment there = remote.segment().asSlice(offset * dtype().bytes(), bytes);
        MemorySegment here = own.segment().asSlice(0, bytes);
        if (bytes > 0 && here.asOverlappingSlice(there).isPresent()) {
            throw new UsageException(
                    "source and target overlap: tensor=" + name() + ", offset=" + offset + ", elements="
                            + own.elements() + "; copy through a buffer");
        }
        if (put) {
            there.copyFrom(here);
        } else {
            here.copyFrom(there);
        }
    }

    /** Queues the block for release; its memory is reused after the next collective call at which all ranks have closed it. */
    @Override
    public void close() {
        heap.release(block);
    }

    /** Name, type and shape. */
    @Override
    public String toString() {
        return name() + " " + copies[0];
    }
}
