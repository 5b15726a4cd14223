package dev.tandem.kernels.fused;

import dev.tandem.core.Check;
import dev.tandem.core.device.Event;
import dev.tandem.core.device.Stream;
import dev.tandem.core.tensor.MatrixView;
import dev.tandem.core.tensor.Tensor;
import dev.tandem.core.world.Deadline;
import dev.tandem.kernels.fused.AllGatherGemmKernel.Args;
import dev.tandem.kernels.fused.AllGatherGemmKernel.Wave;
import dev.tandem.kernels.tile.Grid;
import dev.tandem.kernels.tile.KernelRuntime;
import dev.tandem.shmem.SymmetricHeap;
import dev.tandem.shmem.SymmetricTensor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * AllGather-GEMM: every rank multiplies the shards A of all ranks, one below the other, with its own B,
 * {@code C = concat(A of rank 0, A of rank 1, ...) x B}, while the shards are still on their way.
 *
 * <p>The product is accumulated in fp32 and rounded once to the type of C. A shard travels in waves; while one wave is
 * multiplied the next is pushed, into the other slot of a staging area that this object owns on the symmetric heap.
 *
 * <p>Creating and closing it is collective, running it is collective and asynchronous. It may be run again and again, with
 * other tensors, without host barriers between the runs: all ranks run it equally often. Thread-safe; runs follow each other
 * on its stream in the order of the calls.
 *
 * {@snippet :
 * AllGatherGemmShape shape = AllGatherGemmShape.of(m, n, k, DType.F16);
 * try (AllGatherGemm gemm = kernels.allGatherGemm(shape)) { // collective
 *     gemm.run(a, b, c).await();                            // a: m x k, b: k x n, c: m * ranks x n
 * }
 * }
 */
public final class AllGatherGemm implements AutoCloseable {

    private static final String NAME = "allgather_gemm";
    private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final KernelRuntime runtime;
    private final Stream stream;
    private final int ranks;
    private final AllGatherGemmShape shape;
    private final SymmetricTensor staging;
    private final Wave full;
    private final Wave last;
    private final Grid grid;
    private long waves;
    private Event latest;
    private boolean closed;

    AllGatherGemm(KernelRuntime runtime, SymmetricHeap heap, Stream stream, AllGatherGemmShape shape) {
        this.runtime = runtime;
        this.stream = stream;
        this.ranks = heap.size();
        this.shape = shape;
        Check.that((long) shape.m() * ranks <= Integer.MAX_VALUE, "result too tall: m=" + shape.m() + ", ranks=" + ranks
                + ", limit=" + Integer.MAX_VALUE + "; make the shards smaller");
        Tiling tiling = shape.tiling();
        this.full = Wave.of(tiling.waveRows(), ranks, shape);
        this.last = Wave.of(shape.m() - (shape.waves() - 1) * tiling.waveRows(), ranks, shape);
        this.grid = Grid.mixed(runtime.cores());
        this.staging = heap.createTensor(NAME + ".staging", shape.dtype(), shape.stagingRows(ranks), shape.k());
    }

    /**
     * Says what this object multiplies.
     *
     * @return the shape it was made for
     */
    public AllGatherGemmShape shape() {
        return shape;
    }

    /**
     * Collective. Launches the product; all ranks do so equally often. The tensors must not be written, nor {@code c} read,
     * before the event is done.
     *
     * @param a this rank's shard, {@code m x k}, contiguous
     * @param b this rank's right factor, {@code k x n}
     * @param c where the product goes, {@code m * ranks x n}; overlaps neither {@code a} nor {@code b}; what it held does not
     *     matter
     * @return done when this rank's product is complete
     * @throws dev.tandem.core.UsageException if a shape, type or layout is not what this object was made for; nothing was
     *     launched then
     */
    public synchronized Event run(Tensor a, Tensor b, Tensor c) {
        Check.that(!closed, "closed: object=AllGatherGemm; create a new one");
        MatrixView left = matrix(a, "a", shape.m(), shape.k());
        MatrixView right = matrix(b, "b", shape.k(), shape.n());
        MatrixView result = matrix(c, "c", (long) shape.m() * ranks, shape.n());
        Check.that(a.isContiguous(),
                "not contiguous: tensor=a, row stride=" + left.rowStride() + ", columns=" + left.cols()
                        + "; copy it into a contiguous tensor first");
        requireApart(a, c, "a");
        requireApart(b, c, "b");
        int firstSlot = (int) (waves % shape.tiling().ringDepth());
        Args args = new Args(shape, left, right, result, staging, firstSlot, full, last);
        latest = runtime.launch(stream, NAME, grid, AllGatherGemmKernel::allGatherGemm, args);
        waves += shape.waves();
        return latest;
    }

    private MatrixView matrix(Tensor tensor, String name, long rows, long cols) {
        Check.notNull(tensor, name);
        Check.that(tensor.rank() == 2 && tensor.size(0) == rows && tensor.size(1) == cols,
                "wrong shape: " + name + "=" + tensor + ", wanted=" + rows + "x" + cols + "; pass that shape");
        Check.that(tensor.dtype() == shape.dtype(), "wrong dtype: " + name + "=" + tensor.dtype() + ", wanted="
                + shape.dtype() + "; convert it, or create an AllGatherGemm of its type");
        return tensor.matrix();
    }

    private static void requireApart(Tensor input, Tensor result, String name) {
        Check.that(input.segment().asOverlappingSlice(result.segment()).isEmpty(),
                "result overlaps an input: input=" + name + "; give c memory of its own");
    }

    /**
     * Collective. Waits for this rank's last run and gives the staging memory back, which the heap reuses at its next
     * collective point.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (latest != null) {
                latest.await();
            }
        } finally {
            letItEnd();
            staging.close();
        }
    }

    /**
     * When the job comes down, waiting for an event fails at once, but the parts are still on their way out. Whoever closes
     * this frees the tensors next, so it gives them the time to end.
     */
    private void letItEnd() {
        Deadline grace = Deadline.in(GRACE_NS);
        while (latest != null && !latest.done() && !grace.passed()) {
            LockSupport.parkNanos(POLL_NS);
        }
    }
}
