package dev.tandem.kernels.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.UsageException;
import dev.tandem.core.tensor.Conversions;
import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.RandomTensors;
import dev.tandem.core.tensor.Tensor;
import dev.tandem.kernels.testing.PlainEngine;
import dev.tandem.kernels.tile.Part;
import dev.tandem.kernels.tile.Tile;
import dev.tandem.kernels.tile.View;
import dev.tandem.shmem.Comparison;
import dev.tandem.shmem.SignalArray;
import dev.tandem.shmem.SymmetricHeap;
import dev.tandem.shmem.Token;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The language on one core, without ranks and threads. */
class HostCoreTest {

    private final Arena arena = Arena.ofConfined();
    private final HostCore core = new HostCore(new PlainEngine(), 4 << 20, new NoWaits());

    @BeforeEach
    void enter() {
        core.enter(new Placement("test", 1, 2, 3, 20, Part.CUBE));
    }

    @AfterEach
    void close() {
        core.close();
        arena.close();
    }

    private Tensor random(DType dtype, long... shape) {
        Tensor tensor = Tensor.allocate(arena, dtype, shape);
        RandomTensors.normal(tensor, 7);
        return tensor;
    }

    private Tensor filled(DType dtype, double value, long... shape) {
        return Tensor.allocate(arena, dtype, shape).fill(value);
    }

    // ---- Who

    @Test
    void aCoreKnowsWhoItIs() {
        assertThat(core.rank()).isEqualTo(1);
        assertThat(core.ranks()).isEqualTo(2);
        assertThat(core.program()).isEqualTo(3);
        assertThat(core.programs()).isEqualTo(20);
        assertThat(core.part()).isEqualTo(Part.CUBE);
    }

    // ---- Loads and stores

    @Test
    void aLoadedTileIsTheMemoryItself() {
        Tensor tensor = random(DType.F32, 6, 5);
        Tile tile = core.load(core.view(tensor), 1, 2, 3, 2);
        tensor.setDouble(42, 2, 3);
        assertThat(tile.get(1, 1)).isEqualTo(42);
        assertThat(tile.dtype()).isEqualTo(DType.F32);
    }

    @Test
    void aLoadIsClippedAtTheEdgesByShape() {
        Tensor tensor = filled(DType.F16, 3, 5, 7);
        Tile tile = core.load(core.view(tensor), 4, 4, 4, 4);
        assertThat(tile).extracting(Tile::rows, Tile::cols, Tile::validRows, Tile::validCols)
                .containsExactly(4, 4, 1, 3);
        assertThat(tile.get(0, 2)).isEqualTo(3);
        assertThat(tile.get(0, 3)).isZero();
        assertThat(tile.get(1, 0)).isZero();
    }

    @Test
    void aLoadThatStartsAtTheEndIsEmpty() {
        Tile tile = core.load(core.view(filled(DType.F32, 1, 4, 4)), 4, 0, 2, 2);
        assertThat(tile.validRows()).isZero();
        assertThat(tile.get(0, 0)).isZero();
    }

    @Test
    void aStoreWritesTheValidPartOnlyAndIsClippedByTheTarget() {
        Tensor source = filled(DType.F32, 5, 3, 3);
        Tensor target = filled(DType.F32, -1, 4, 4);
        core.store(core.target(target), 0, 0, core.load(core.view(source), 2, 1, 4, 4)); // 1 x 2 exist
        core.store(core.target(target), 3, 3, core.full(4, 4, DType.F32, 9)); // 1 x 1 fits
        for (int r = 0; r < 4; r++) {
            for (int c = 0; c < 4; c++) {
                double wanted = r == 0 && c < 2 ? 5 : r == 3 && c == 3 ? 9 : -1;
                assertThat(target.getDouble(r, c)).as("(%d, %d)", r, c).isEqualTo(wanted);
            }
        }
    }

    @Test
    void narrowedTargetsAndViewsKeepTilesOutOfTheNeighboursRows() {
        Tensor tensor = filled(DType.F32, 0, 8, 4);
        core.store(core.target(tensor).rowRange(2, 3), 2, 0, core.full(4, 4, DType.F32, 1));
        assertThat(IntStream.range(0, 8).mapToObj(r -> tensor.getDouble(r, 0)))
                .containsExactly(0., 0., 0., 0., 1., 0., 0., 0.);
        View view = core.view(tensor).rowRange(4, 1).block(0, 1, 5, 9);
        assertThat(view.rows()).isEqualTo(1);
        assertThat(view.cols()).isEqualTo(3);
        assertThat(core.load(view, 0, 0, 2, 2).validRows()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"F16", "BF16", "F32"})
    void aStoreRoundsOnce(DType dtype) {
        Tensor sums = random(DType.F32, 37, 70);
        Tensor target = Tensor.allocate(arena, dtype, 40, 80);
        core.store(core.target(target), 1, 2, core.load(core.view(sums), 0, 0, 64, 128));
        for (int r = 0; r < 37; r++) {
            for (int c = 0; c < 70; c++) {
                assertThat(target.getDouble(r + 1, c + 2)).as("(%d, %d)", r, c)
                        .isEqualTo(rounded(sums.getDouble(r, c), dtype));
            }
        }
    }

    @Test
    void theSameTypeIsStoredBitForBit() {
        Tensor ints = Tensor.allocate(arena, DType.I64, 2, 2);
        ints.setDouble(7, 1, 1);
        Tensor copy = Tensor.allocate(arena, DType.I64, 2, 2);
        core.store(core.target(copy), 0, 0, core.load(core.view(ints), 0, 0, 2, 2));
        assertThat(copy.getDouble(1, 1)).isEqualTo(7);
        refused(() -> core.store(core.target(filled(DType.F32, 0, 2, 2)), 0, 0, core.load(core.view(ints), 0, 0, 2, 2)),
                "no conversion: from=int64, to=fp32");
    }

    // ---- Copies

    @Test
    void blocksAreCopiedWhateverTheirStrides() {
        Tensor from = random(DType.BF16, 9, 12);
        Tensor to = filled(DType.BF16, 0, 9, 20);
        core.copy(core.view(from).block(2, 3, 100, 5), core.target(to).block(1, 4, 7, 5));
        for (int r = 0; r < 9; r++) {
            for (int c = 0; c < 20; c++) {
                boolean inside = r >= 1 && r < 8 && c >= 4 && c < 9;
                assertThat(to.getDouble(r, c)).isEqualTo(inside ? from.getDouble(r + 1, c - 1) : 0);
            }
        }
        Tensor whole = filled(DType.BF16, 0, 9, 12);
        core.copy(core.view(from), core.target(whole));
        assertThat(whole.segment().mismatch(from.segment())).isEqualTo(-1);
    }

    @Test
    void unequalCopiesAreRefused() {
        Tensor a = filled(DType.F32, 0, 3, 3);
        refused(() -> core.copy(core.view(a), core.target(filled(DType.F32, 0, 3, 2))),
                "sizes differ: from=3x3, to=3x2");
        refused(() -> core.copy(core.view(a), core.target(filled(DType.F16, 0, 3, 3))),
                "types differ: from=fp32, to=fp16");
    }

    // ---- Products

    @ParameterizedTest
    @EnumSource(names = {"F16", "BF16", "F32"})
    void dotsOfEdgeTilesGiveTheProductOfWhatExists(DType dtype) {
        int m = 13;
        int n = 19;
        int k = 21;
        Tensor a = random(dtype, m, k);
        Tensor b = random(dtype, k, n);
        Tensor c = filled(DType.F32, Double.NaN, m, n);
        for (int row = 0; row < m; row += 8) {
            for (int col = 0; col < n; col += 8) {
                long mark = core.mark();
                Tile acc = core.zeros(8, 8, DType.F32);
                for (int depth = 0; depth < k; depth += 8) {
                    acc = core.dot(core.load(core.view(a), row, depth, 8, 8), core.load(core.view(b), depth, col, 8, 8),
                            acc);
                }
                core.store(core.target(c), row, col, acc);
                core.release(mark);
            }
        }
        for (int r = 0; r < m; r++) {
            for (int q = 0; q < n; q++) {
                double sum = 0;
                for (int p = 0; p < k; p++) {
                    sum += a.getDouble(r, p) * b.getDouble(p, q);
                }
                assertThat(c.getDouble(r, q)).isCloseTo(sum, Offset.offset(1e-5));
            }
        }
    }

    @Test
    void notANumberSpreadsToItsRowAndColumnOnly() {
        Tensor a = filled(DType.F32, 1, 4, 4);
        a.setDouble(Double.NaN, 2, 1);
        Tensor b = filled(DType.F32, 1, 4, 4);
        Tile acc = core.dot(core.load(core.view(a), 0, 0, 4, 4), core.load(core.view(b), 0, 0, 4, 4),
                core.zeros(4, 4, DType.F32));
        for (int r = 0; r < 4; r++) {
            for (int c = 0; c < 4; c++) {
                assertThat(Double.isNaN(acc.get(r, c))).isEqualTo(r == 2);
            }
        }
    }

    @Test
    void dotsThatMakeNoSenseAreRefused() {
        Tile a = core.zeros(4, 8, DType.F16);
        Tile acc = core.zeros(4, 4, DType.F32);
        refused(() -> core.dot(a, core.zeros(4, 4, DType.F16), acc), "depths differ: a=4x8, b=4x4");
        refused(() -> core.dot(a, core.zeros(8, 4, DType.F32), acc), "types differ: a=fp16, b=fp32");
        refused(() -> core.dot(a, core.zeros(8, 5, DType.F16), acc), "acc has the wrong size: acc=4x4, result=4x5");
        refused(() -> core.dot(a, core.zeros(8, 4, DType.F16), core.zeros(4, 4, DType.F16)),
                "acc cannot take a result");
        Tile loaded = core.load(core.view(filled(DType.F32, 0, 4, 4)), 0, 0, 4, 4);
        refused(() -> core.dot(a, core.zeros(8, 4, DType.F16), loaded), "acc cannot take a result");
        refused(() -> core.dot(core.zeros(4, 8, DType.I32), a, acc), "no arithmetic on this type: a=int32");
        core.enter(new Placement("test", 1, 2, 3, 20, Part.VECTOR));
        Tile square = core.zeros(4, 4, DType.F32);
        refused(() -> core.dot(square, square, square), "dot belongs to the cube: part=VECTOR");
    }

    // ---- Element by element

    @ParameterizedTest
    @EnumSource(names = {"F16", "BF16", "F32"})
    void arithmeticIsDoneInFp32WithZerosWhereNothingIs(DType dtype) {
        Tensor x = random(dtype, 5, 9);
        Tensor y = random(DType.F32, 7, 6);
        Tile a = core.load(core.view(x), 0, 0, 8, 16);
        Tile b = core.load(core.view(y), 0, 0, 8, 16);
        Tile sum = core.add(a, b);
        Tile product = core.mul(a, b);
        Tile scaled = core.scale(a, -2.5f);
        assertThat(sum).extracting(Tile::validRows, Tile::validCols, Tile::dtype).containsExactly(7, 9, DType.F32);
        for (int r = 0; r < 8; r++) {
            for (int c = 0; c < 16; c++) {
                float left = r < 5 && c < 9 ? (float) x.getDouble(r, c) : 0;
                float right = r < 7 && c < 6 ? (float) y.getDouble(r, c) : 0;
                assertThat((float) sum.get(r, c)).isEqualTo(left + right);
                assertThat((float) product.get(r, c) == left * right).isTrue();
                assertThat((float) scaled.get(r, c) == left * -2.5f).isTrue();
            }
        }
    }

    @Test
    void resultsMayGoWhereAnOperandIs() {
        Tile a = core.full(3, 3, DType.F32, 2);
        Tile b = core.full(3, 3, DType.F32, 5);
        assertThat(core.add(a, b, a)).isSameAs(a);
        assertThat(core.mul(b, a, b).get(2, 2)).isEqualTo(35);
        assertThat(core.scale(b, 0.5f, b).get(0, 1)).isEqualTo(17.5);
        refused(() -> core.add(a, core.zeros(3, 4, DType.F32)), "sizes differ: a=3x3, b=3x4");
    }

    @Test
    void whatAResultNoLongerCoversIsZeroAgain() {
        Tile into = core.full(4, 4, DType.F32, 8);
        Tile edge = core.load(core.view(filled(DType.F32, 1, 2, 3)), 0, 0, 4, 4);
        core.scale(edge, 3, into);
        assertThat(into).extracting(Tile::validRows, Tile::validCols).containsExactly(2, 3);
        core.dot(core.full(4, 1, DType.F32, 1), core.full(1, 4, DType.F32, 1), into);
        for (int r = 0; r < 4; r++) {
            for (int c = 0; c < 4; c++) {
                assertThat(into.get(r, c)).isEqualTo(r < 2 && c < 3 ? 4 : 1);
            }
        }
    }

    @Test
    void fillSetsTheWholeTile() {
        Tile tile = core.cast(core.load(core.view(filled(DType.F32, 1, 1, 2)), 0, 0, 3, 5), DType.F16);
        assertThat(core.fill(tile, 0.1)).isSameAs(tile);
        assertThat(tile).extracting(Tile::validRows, Tile::validCols).containsExactly(3, 5);
        assertThat(tile.get(2, 4)).isEqualTo(rounded(0.1, DType.F16));
        refused(() -> core.fill(core.load(core.view(filled(DType.F32, 1, 1, 2)), 0, 0, 3, 5), 1),
                "into cannot take a result");
        refused(() -> core.fill(core.zeros(1, 1, DType.I64), 1), "no arithmetic on this type: into=int64");
    }

    @ParameterizedTest
    @EnumSource(names = {"F16", "BF16"})
    void castsRoundOnceAndKeepTheEdge(DType dtype) {
        Tensor x = random(DType.F32, 3, 5);
        Tile cast = core.cast(core.load(core.view(x), 0, 0, 4, 8), dtype);
        assertThat(cast).extracting(Tile::validRows, Tile::validCols, Tile::dtype).containsExactly(3, 5, dtype);
        for (int r = 0; r < 4; r++) {
            for (int c = 0; c < 8; c++) {
                assertThat(cast.get(r, c)).isEqualTo(r < 3 && c < 5 ? rounded(x.getDouble(r, c), dtype) : 0);
            }
        }
        refused(() -> core.cast(cast, DType.I32), "no conversion: to=int32");
    }

    @Test
    void atomicAddAddsWhatFits() {
        Tensor target = filled(DType.F32, 1, 3, 3);
        core.atomicAdd(core.target(target), 2, 1, core.full(2, 4, DType.F32, 5));
        core.atomicAdd(core.target(target), 2, 1, core.full(2, 4, DType.F16, 5));
        assertThat(target.getDouble(2, 0)).isEqualTo(1);
        assertThat(target.getDouble(2, 1)).isEqualTo(11);
        assertThat(target.getDouble(2, 2)).isEqualTo(11);
        assertThat(target.getDouble(1, 1)).isEqualTo(1);
        refused(() -> core.atomicAdd(core.target(filled(DType.F16, 0, 2, 2)), 0, 0, core.zeros(2, 2, DType.F32)),
                "atomic add needs fp32: target=fp16");
    }

    // ---- On-chip memory

    @Test
    void zerosAreZeroAlthoughTheMemoryWasUsed() {
        long mark = core.mark();
        core.full(16, 16, DType.F32, 3);
        core.release(mark);
        Tile tile = core.zeros(16, 16, DType.F32);
        assertThat(IntStream.range(0, 256).mapToDouble(i -> tile.get(i / 16, i % 16))).containsOnly(0.0);
    }

    @Test
    void releasedTilesCannotBeUsed() {
        Tile kept = core.zeros(2, 2, DType.F32);
        long mark = core.mark();
        Tile computed = core.zeros(2, 2, DType.F32);
        Tile loaded = core.load(core.view(filled(DType.F32, 1, 2, 2)), 0, 0, 2, 2);
        core.release(mark);
        refused(() -> core.add(computed, kept), "a was released");
        refused(() -> core.add(kept, loaded), "b was released");
        refused(() -> core.store(core.target(filled(DType.F32, 0, 2, 2)), 0, 0, computed), "tile was released");
        refused(() -> computed.get(0, 0), "tile was released");
        assertThat(core.add(kept, kept).get(1, 1)).isZero();
    }

    @Test
    void tilesOfAnotherLaunchOrCoreCannotBeUsed() {
        Tile old = core.zeros(2, 2, DType.F32);
        core.enter(new Placement("test", 1, 2, 3, 20, Part.CUBE));
        refused(() -> core.scale(old, 1), "a is not this core's");
    }

    @Test
    void fullMemoryIsRefusedWithTheNumbers() {
        assertThatThrownBy(() -> core.zeros(1024, 1025, DType.F32)).isInstanceOf(UsageException.class)
                .hasMessageContaining("on-chip memory is full: wanted=4198400 bytes, in use=0, limit=4194304");
    }

    // ---- Refusals

    @Test
    void whatLiesOutsideIsRefused() {
        Tensor tensor = filled(DType.F32, 0, 4, 4);
        refused(() -> core.load(core.view(tensor), 5, 0, 1, 1), "load starts outside: row=5, col=0, matrix=4x4");
        refused(() -> core.load(core.view(tensor), 0, -1, 1, 1), "load starts outside: row=0, col=-1");
        refused(() -> core.load(core.view(tensor), 0, 0, 0, 1), "empty tile: rows=0, cols=1");
        refused(() -> core.store(core.target(tensor), 0, 5, core.zeros(1, 1, DType.F32)), "store starts outside");
        assertThatThrownBy(() -> core.view(tensor).rowRange(3, 2)).isInstanceOf(UsageException.class)
                .hasMessageContaining("row range offset=3, length=2, size=4");
        assertThatThrownBy(() -> core.view(tensor).block(5, 0, 1, 1)).isInstanceOf(UsageException.class)
                .hasMessageContaining("block starts outside");
    }

    private static void refused(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(UsageException.class)
                .hasMessageStartingWith("kernel test, rank 1, program 3 ")
                .hasMessageContaining(message);
    }

    private static double rounded(double value, DType dtype) {
        MemorySegment one = MemorySegment.ofArray(new double[1]);
        Conversions.fromDoubles(new double[]{value}, 0, one, dtype, 0, 1);
        double[] back = new double[1];
        Conversions.toDoubles(one, dtype, 0, back, 0, 1);
        return back[0];
    }

    private static final class NoWaits implements PartWaits {

        @Override
        public void checkRunning() {
        }

        @Override
        public Token signal(SignalArray signals, int rank, long slot, Comparison comparison, long value) {
            throw new AssertionError("no waits here");
        }

        @Override
        public Token barrierAll() {
            throw new AssertionError("no waits here");
        }

        @Override
        public SymmetricHeap heap() {
            throw new AssertionError("no heap here");
        }
    }
}
