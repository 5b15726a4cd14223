package dev.tandem.kernels.fused;

import dev.tandem.core.Check;
import dev.tandem.core.device.Stream;
import dev.tandem.kernels.tile.KernelRuntime;
import dev.tandem.shmem.SymmetricHeap;

/**
 * Makes the fused kernels of one rank. Each is an object that owns its workspace and is run again and again. Thread-safe;
 * making a kernel is collective.
 */
public final class FusedKernels {

    private final KernelRuntime runtime;
    private final SymmetricHeap heap;
    private final Stream stream;

    /**
     * Creates the maker.
     *
     * @param runtime what runs the kernels
     * @param heap where their workspaces lie
     * @param stream the stream that they take their turns on unless another is given
     */
    public FusedKernels(KernelRuntime runtime, SymmetricHeap heap, Stream stream) {
        this.runtime = Check.notNull(runtime, "runtime");
        this.heap = Check.notNull(heap, "heap");
        this.stream = Check.notNull(stream, "stream");
    }

    /**
     * Collective. Makes an AllGather-GEMM on the default stream; allocates its staging slots.
     *
     * @param shape sizes and tiling, equal on all ranks
     * @return the kernel; close it on all ranks
     */
    public AllGatherGemm allGatherGemm(AllGatherGemmShape shape) {
        return allGatherGemm(shape, stream);
    }

    /**
     * Collective. Makes an AllGather-GEMM; allocates its staging slots.
     *
     * @param shape sizes and tiling, equal on all ranks
     * @param onStream the stream that its runs take their turns on
     * @return the kernel; close it on all ranks
     */
    public AllGatherGemm allGatherGemm(AllGatherGemmShape shape, Stream onStream) {
        return new AllGatherGemm(runtime, heap, Check.notNull(onStream, "onStream"), Check.notNull(shape, "shape"));
    }
}
