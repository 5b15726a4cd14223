package dev.tandem.kernels.fused;

import static dev.tandem.core.tensor.DType.F32;

import dev.tandem.core.tensor.MatrixView;
import dev.tandem.kernels.tile.Core;
import dev.tandem.kernels.tile.Kernel;
import dev.tandem.kernels.tile.Part;
import dev.tandem.kernels.tile.Target;
import dev.tandem.kernels.tile.Tile;
import dev.tandem.kernels.tile.View;
import dev.tandem.shmem.SymmetricTensor;
import dev.tandem.shmem.Token;

/**
 * The kernel of {@link AllGatherGemm}: the VECTOR parts push a wave of the own shard to all ranks while the CUBE parts
 * multiply the wave before, which all ranks have pushed.
 *
 * <p>Wave w uses slot w mod 2 (of a ring of 2). Why one barrier a wave is enough: a CUBE part comes to barrier w + 1 only
 * after it has read slot w mod 2 for the last time, and that slot is pushed to again in wave w + 2, after barrier w + 1. With
 * one slot, a fast rank's push would meet a slow rank's read.
 *
 * <p>The waves are numbered through from one launch to the next ({@link Args#firstSlot}). So the first wave of a launch takes
 * the slot after the last wave of the launch before, the argument above holds across launches as well, and no host barrier
 * is needed between them: a rank that is still multiplying its last wave is disturbed by nobody.
 */
final class AllGatherGemmKernel {

    private AllGatherGemmKernel() {
    }

    /**
     * One wave's share of the work: some rows of each rank's shard.
     *
     * @param rows rows of each shard in this wave
     * @param tileRows tiles of rows of each shard
     * @param pieces the order in which the own rows travel
     * @param tiles the order in which the products of all ranks' rows are computed
     */
    record Wave(int rows, int tileRows, PeerOrder pieces, ZigZag tiles) {

        static Wave of(int rows, int ranks, AllGatherGemmShape shape) {
            Tiling tiling = shape.tiling();
            int tileRows = Math.ceilDiv(rows, tiling.blockM());
            return new Wave(rows, tileRows,
                    new PeerOrder(ranks, Math.ceilDiv(rows, tiling.commRows()),
                            Math.ceilDiv(shape.k(), tiling.commCols())),
                    new ZigZag(ranks * tileRows, Math.ceilDiv(shape.n(), tiling.blockN())));
        }
    }

    /**
     * What the kernel is given.
     *
     * @param shape sizes and tiling
     * @param a the own shard, m x k
     * @param b the own right factor, k x n
     * @param c the result, m * ranks x n
     * @param staging the slots; in each the wave's rows of every rank
     * @param firstSlot slot of the launch's first wave
     * @param full every wave but the last
     * @param last the last wave
     */
    record Args(AllGatherGemmShape shape, MatrixView a, MatrixView b, MatrixView c, SymmetricTensor staging,
            int firstSlot, Wave full, Wave last) {

        Wave wave(int index) {
            return index == shape.waves() - 1 ? last : full;
        }

        /** First row of a wave in the shard. */
        int firstRow(int wave) {
            return wave * shape.tiling().waveRows();
        }

        /** First row of a rank's part of a wave in the staging area. */
        long stagedRow(int wave, int source, int ranks) {
            int slot = (firstSlot + wave) % shape.tiling().ringDepth();
            return ((long) slot * ranks + source) * shape.tiling().waveRows();
        }
    }

    @Kernel
    static void allGatherGemm(Core core, Args g) {
        for (int wave = 0; wave < g.shape().waves(); wave++) {
            if (core.part() == Part.VECTOR) {
                push(core, g, wave);
            }
            Token arrived = core.barrierAll();
            if (core.part() == Part.CUBE) {
                multiply(core, g, wave, arrived);
            }
        }
    }

    /** Sends this program's share of the wave's rows to all ranks, the own among them. */
    private static void push(Core core, Args g, int wave) {
        Wave work = g.wave(wave);
        Tiling tiling = g.shape().tiling();
        View shard = core.view(g.a()).rowRange(g.firstRow(wave), work.rows());
        long staged = g.stagedRow(wave, core.rank(), core.ranks());
        for (int task = core.program(); task < work.pieces().tasks(); task += core.programs()) {
            int row = work.pieces().row(task) * tiling.commRows();
            int col = work.pieces().col(task) * tiling.commCols();
            Target slot = core.targetAt(g.staging(), work.pieces().peer(task)).rowRange(staged, work.rows());
            core.copy(shard.block(row, col, tiling.commRows(), tiling.commCols()),
                    slot.block(row, col, tiling.commRows(), tiling.commCols()));
        }
    }

    /** Multiplies this program's share of the wave that all ranks have pushed into the own slot. */
    private static void multiply(Core core, Args g, int wave, Token arrived) {
        Wave work = g.wave(wave);
        AllGatherGemmShape shape = g.shape();
        int blockM = shape.tiling().blockM();
        int blockN = shape.tiling().blockN();
        int blockK = shape.tiling().blockK();
        View staged = core.at(g.staging(), core.rank(), arrived);
        View b = core.view(g.b());
        for (int index = core.program(); index < work.tiles().tiles(); index += core.programs()) {
            int source = work.tiles().row(index) / work.tileRows();
            int row = work.tiles().row(index) % work.tileRows() * blockM;
            int col = work.tiles().col(index) * blockN;
            View shard = staged.rowRange(g.stagedRow(wave, source, core.ranks()), work.rows());
            Target result = core.target(g.c())
                    .rowRange((long) source * shape.m() + g.firstRow(wave), work.rows());

            long mark = core.mark();
            Tile acc = core.zeros(blockM, blockN, F32);
            for (int k = 0; k < shape.k(); k += blockK) {
                Tile left = core.load(shard, row, k, blockM, blockK);
                acc = core.dot(left, core.load(b, k, col, blockK, blockN), acc);
            }
            core.store(result, row, col, acc);
            core.release(mark);
        }
    }
}
