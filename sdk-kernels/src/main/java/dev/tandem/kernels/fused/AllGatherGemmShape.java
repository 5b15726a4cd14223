package dev.tandem.kernels.fused;

import dev.tandem.core.Check;
import dev.tandem.core.tensor.DType;

/**
 * What an {@link AllGatherGemm} multiplies and how it is cut; equal on all ranks.
 *
 * @param m rows of each rank's shard A
 * @param n columns of each rank's B
 * @param k columns of A, rows of B
 * @param dtype fp16, bf16 or fp32: of A, of B and of C
 * @param tiling how the work is cut
 */
public record AllGatherGemmShape(int m, int n, int k, DType dtype, Tiling tiling) {

    /** Checks the sizes. */
    public AllGatherGemmShape {
        Check.positive(m, "m");
        Check.positive(n, "n");
        Check.positive(k, "k");
        Check.notNull(dtype, "dtype");
        Check.notNull(tiling, "tiling");
        Check.that(dtype == DType.F16 || dtype == DType.BF16 || dtype == DType.F32,
                "unsupported dtype: dtype=" + dtype + "; use fp16, bf16 or fp32");
    }

    /**
     * Gives a shape with the tiling that suits the host ({@link Tiling#host}).
     *
     * @param m rows of each rank's shard A
     * @param n columns of each rank's B
     * @param k columns of A, rows of B
     * @param dtype fp16, bf16 or fp32
     * @return the shape
     */
    public static AllGatherGemmShape of(int m, int n, int k, DType dtype) {
        return new AllGatherGemmShape(m, n, k, dtype, Tiling.host(m, n, k, dtype));
    }

    /**
     * Counts the waves in which the shards travel.
     *
     * @return at least 1
     */
    public int waves() {
        return Math.ceilDiv(m, tiling.waveRows());
    }

    /**
     * Gives the symmetric memory that an {@link AllGatherGemm} of this shape takes on every rank: its staging slots.
     *
     * @param ranks number of ranks
     * @return bytes, without what the heap adds for alignment
     */
    public long requiredBytes(int ranks) {
        Check.positive(ranks, "ranks");
        return Math.multiplyExact(Math.multiplyExact(stagingRows(ranks), (long) k), (long) dtype.bytes());
    }

    /** Gives the rows of the staging tensor: slots, in each the wave's rows of every rank. */
    long stagingRows(int ranks) {
        return Math.multiplyExact((long) tiling.ringDepth() * ranks, (long) tiling.waveRows());
    }
}
