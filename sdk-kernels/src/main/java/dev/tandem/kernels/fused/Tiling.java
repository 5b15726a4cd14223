package dev.tandem.kernels.fused;

import dev.tandem.core.Check;
import dev.tandem.core.tensor.DType;

/**
 * How a fused product is cut into work: the tiles of the product, the pieces in which shards travel, and how much of a shard
 * is one wave.
 *
 * @param blockM rows of a tile of the product
 * @param blockN columns of a tile of the product
 * @param blockK depth of one tile product
 * @param commRows rows of a piece that travels
 * @param commCols columns of a piece that travels
 * @param blocksPerWave tiles of rows of a shard in one wave (p); a wave is {@code blockM * blocksPerWave} rows of each rank's
 *     shard. More means fewer barriers and more symmetric memory.
 * @param ringDepth staging slots, at least 2: one is read while the next is filled
 */
public record Tiling(int blockM, int blockN, int blockK, int commRows, int commCols, int blocksPerWave, int ringDepth) {

    /** Elements of the piece that the host's tiling sends at a time, in bytes. */
    private static final int HOST_PIECE_BYTES = 256 << 10;

    /** Checks the sizes. */
    public Tiling {
        Check.positive(blockM, "blockM");
        Check.positive(blockN, "blockN");
        Check.positive(blockK, "blockK");
        Check.positive(commRows, "commRows");
        Check.positive(commCols, "commCols");
        Check.positive(blocksPerWave, "blocksPerWave");
        Check.that(ringDepth >= 2, "ring too shallow: ringDepth=" + ringDepth
                + ", minimum=2; with one slot a rank would overwrite what another still reads");
        long waveRows = (long) blockM * blocksPerWave;
        Check.that(waveRows <= Integer.MAX_VALUE,
                "wave too tall: blockM=" + blockM + ", blocksPerWave=" + blocksPerWave + "; make one of them smaller");
    }

    /**
     * Gives the tiling of the original on an NPU: tiles of 128 x 256 x 256, pieces of 20 x 256, 4 tiles a wave, 2 slots.
     *
     * @return the tiling
     */
    public static Tiling npu() {
        return new Tiling(128, 256, 256, 20, 256, 4, 2);
    }

    /**
     * Gives the tiling that suits processors.
     *
     * <p>The rule: a tile of the product is large, so that the matrix engine spends its time multiplying and not arranging
     * its operands; one product goes over the whole depth up to 4096, since the engine cuts the depth to its caches itself;
     * a piece that travels is whole rows, contiguous in memory, of about 256 KiB; and two tiles of rows are one wave, which
     * keeps at least two waves in flight for shards that are worth it.
     *
     * @param m rows of a shard
     * @param n columns of the product
     * @param k depth
     * @param dtype element type of the shards
     * @return the tiling, no larger than the problem
     */
    public static Tiling host(int m, int n, int k, DType dtype) {
        Check.positive(m, "m");
        Check.positive(n, "n");
        Check.positive(k, "k");
        Check.notNull(dtype, "dtype");
        int blockM = Math.min(256, roundUp(m, 16));
        int blockN = Math.min(512, roundUp(n, 16));
        int blockK = Math.min(4096, k);
        int commRows = Math.clamp(HOST_PIECE_BYTES / ((long) k * dtype.bytes()), 1, blockM);
        int blocks = Math.ceilDiv(m, blockM);
        return new Tiling(blockM, blockN, blockK, commRows, k, Math.clamp(blocks / 2, 1, 2), 2);
    }

    private static int roundUp(int value, int unit) {
        return (int) Math.min(Integer.MAX_VALUE / 2, (long) Math.ceilDiv(value, unit) * unit);
    }

    /**
     * Gives the rows of a shard in one wave.
     *
     * @return {@code blockM * blocksPerWave}
     */
    public int waveRows() {
        return blockM * blocksPerWave;
    }
}
