package dev.tandem.kernels.fused;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.UsageException;
import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.RandomTensors;
import dev.tandem.core.tensor.Tensor;
import dev.tandem.kernels.internal.matrix.JavaMatrixEngine;
import dev.tandem.kernels.internal.matrix.OneDnnMatrixEngine;
import dev.tandem.kernels.matrix.MatrixEngine;
import dev.tandem.kernels.testing.Delays;
import dev.tandem.kernels.testing.Ranks;
import dev.tandem.kernels.testing.Ranks.Rank;
import dev.tandem.kernels.tile.KernelRuntime;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("dist")
@Timeout(180)
class AllGatherGemmTest {

    /** KERNELS 6.8: small enough that a hundred rows are many waves. */
    private static final Tiling SMALL = new Tiling(16, 32, 32, 7, 32, 2, 2);

    private enum Engine implements Supplier<MatrixEngine> {
        JAVA {
            @Override
            public MatrixEngine get() {
                return new JavaMatrixEngine("");
            }
        },
        ONEDNN {
            @Override
            public MatrixEngine get() {
                return OneDnnMatrixEngine.open(System.getenv());
            }
        }
    }

    private static Stream<Arguments> worldsAndShapes() {
        int[] worlds = {1, 2, 3, 4, 8};
        int[][] sizes = {{100, 100, 100}, {128, 128, 128}, {5, 40, 33}, {33, 7, 1}, {1, 1, 1}, {64, 65, 31}};
        return Stream.of(DType.F16, DType.BF16, DType.F32)
                .flatMap(dtype -> Arrays.stream(worlds)
                        .boxed()
                        .flatMap(world -> Stream.of(sizes).map(s -> Arguments.of(world, s[0], s[1], s[2], dtype))));
    }

    @ParameterizedTest
    @MethodSource("worldsAndShapes")
    void everyRankGetsAllShardsTimesItsOwnB(int world, int m, int n, int k, DType dtype) throws Exception {
        Ranks.of(world).run(rank -> multiplyAndCheck(rank, new AllGatherGemmShape(m, n, k, dtype, SMALL), 1));
    }

    @ParameterizedTest
    @EnumSource
    void bothEnginesGiveTheProduct(Engine engine) throws Exception {
        for (DType dtype : new DType[]{DType.F16, DType.BF16, DType.F32}) {
            Ranks.of(2).engine(engine).run(rank -> {
                multiplyAndCheck(rank, new AllGatherGemmShape(100, 77, 130, dtype, SMALL), 2);
                multiplyAndCheck(rank, AllGatherGemmShape.of(333, 129, 70, dtype), 2);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void deeperRingsAndOtherCutsChangeNothing(int ring) throws Exception {
        Ranks.of(3).cores(3).processors(2).run(rank -> {
            multiplyAndCheck(rank, new AllGatherGemmShape(70, 50, 40, DType.F16, new Tiling(8, 16, 40, 3, 5, 3, ring)),
                    4);
            multiplyAndCheck(rank,
                    new AllGatherGemmShape(70, 50, 40, DType.F16, new Tiling(128, 64, 7, 200, 1, 1, ring)), 4);
        });
    }

    @Test
    void theTilingOfTheOriginalWorksHereToo() throws Exception {
        Ranks.of(2)
                .engine(Engine.JAVA)
                .run(
                        rank -> multiplyAndCheck(rank, new AllGatherGemmShape(600, 300, 280, DType.F16, Tiling.npu()),
                                1));
    }

    @Test
    void randomShapesAndTilings() throws Exception {
        for (long seed = 1; seed <= 25; seed++) {
            Random random = new Random(seed);
            int world = 1 + random.nextInt(4);
            Tiling tiling = new Tiling(1 + random.nextInt(20), 1 + random.nextInt(20), 1 + random.nextInt(20),
                    1 + random.nextInt(10), 1 + random.nextInt(30), 1 + random.nextInt(3), 2 + random.nextInt(2));
            AllGatherGemmShape shape = new AllGatherGemmShape(1 + random.nextInt(60), 1 + random.nextInt(60),
                    1 + random.nextInt(40), random.nextBoolean() ? DType.F16 : DType.BF16, tiling);
            int cores = 1 + random.nextInt(5);
            try {
                Ranks.of(world).cores(cores).run(rank -> multiplyAndCheck(rank, shape, 3));
            } catch (AssertionError failed) {
                throw new AssertionError("seed=" + seed + ", world=" + world + ", cores=" + cores + ", " + shape,
                        failed);
            }
        }
    }

    /**
     * A launch follows the other without a host barrier, with other inputs; one rank comes late now and then, so that the
     * others run ahead as far as they can. Every result is checked.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aThousandRelaunchesWithoutHostBarriers(int waves) throws Exception {
        int world = 3;
        int m = 4 * waves - 1;
        int n = 5;
        int k = 6;
        AllGatherGemmShape shape = new AllGatherGemmShape(m, n, k, DType.F32, new Tiling(2, 3, 4, 1, 4, 2, 2));
        assertThat(shape.waves()).isEqualTo(waves);
        Ranks.of(world).cores(2).run(rank -> {
            Random late = new Random(99 + rank.index());
            try (Arena arena = Arena.ofShared(); AllGatherGemm gemm = rank.kernels().allGatherGemm(shape)) {
                Tensor a = Tensor.allocate(arena, DType.F32, m, k);
                Tensor b = Tensor.allocate(arena, DType.F32, k, n).fill(1);
                Tensor c = Tensor.allocate(arena, DType.F32, (long) m * world, n);
                for (int launch = 0; launch < 1000; launch++) {
                    for (int row = 0; row < m; row++) {
                        a.narrow(0, row, 1).fill(value(launch, rank.index(), row));
                    }
                    c.fill(Double.NaN);
                    if (rank.index() == launch / 100 % world && late.nextInt(8) == 0) {
                        LockSupport.parkNanos(1_000_000);
                    }
                    gemm.run(a, b, c).await();
                    for (int source = 0; source < world; source++) {
                        for (int row = 0; row < m; row++) {
                            for (int col = 0; col < n; col++) {
                                assertThat(c.getDouble((long) source * m + row, col))
                                        .as("launch %d, rank %d, source %d, row %d", launch, rank.index(), source, row)
                                        .isEqualTo(k * value(launch, source, row));
                            }
                        }
                    }
                }
            }
        });
    }

    private static double value(int launch, int rank, int row) {
        return launch * 100 + rank * 31 + row;
    }

    /** Every barrier and every copy of every part may come late, each rank's in an order of its own. */
    @Test
    void delaysAtBarriersAndCopiesChangeNothing() throws Exception {
        for (long seed = 1; seed <= 5; seed++) {
            long first = seed;
            AllGatherGemmShape shape = new AllGatherGemmShape(45, 20, 17, DType.F16, new Tiling(4, 8, 8, 3, 9, 2, 2));
            try {
                Ranks.of(3).cores(3).run(rank -> {
                    KernelRuntime late = Delays.around(rank.runtime(), 10 * first + rank.index());
                    FusedKernels kernels = new FusedKernels(late, rank.heap(), rank.stream());
                    multiplyAndCheck(rank, kernels, shape, 8);
                });
            } catch (AssertionError failed) {
                throw new AssertionError("seed=" + seed, failed);
            }
        }
    }

    /** Many runs are queued before the first is waited for. */
    @Test
    void queuedRunsKeepTheirOrderAndInputs() throws Exception {
        Ranks.of(2).run(rank -> {
            int runs = 20;
            try (Arena arena = Arena.ofShared();
                    AllGatherGemm gemm = rank.kernels()
                            .allGatherGemm(new AllGatherGemmShape(40, 9, 8, DType.F32, SMALL))) {
                Tensor[] results = new Tensor[runs];
                for (int run = 0; run < runs; run++) {
                    Tensor a = Tensor.allocate(arena, DType.F32, 40, 8).fill(run + 100 * rank.index());
                    results[run] = Tensor.allocate(arena, DType.F32, 80, 9);
                    gemm.run(a, Tensor.allocate(arena, DType.F32, 8, 9).fill(1), results[run]);
                }
                rank.stream().synchronize();
                for (int run = 0; run < runs; run++) {
                    assertThat(results[run].getDouble(39, 8)).isEqualTo(8 * run);
                    assertThat(results[run].getDouble(79, 8)).isEqualTo(8 * (run + 100));
                }
            }
        });
    }

    @Test
    void stridedBAndCAreTakenAsTheyAre() throws Exception {
        Ranks.of(2).run(rank -> {
            AllGatherGemmShape shape = new AllGatherGemmShape(20, 30, 10, DType.F16, SMALL);
            try (Arena arena = Arena.ofShared(); AllGatherGemm gemm = rank.kernels().allGatherGemm(shape)) {
                Tensor a = Tensor.allocate(arena, DType.F16, 20, 10).fill(1);
                Tensor b = Tensor.allocate(arena, DType.F16, 10, 50).fill(2).narrow(1, 3, 30);
                Tensor around = Tensor.allocate(arena, DType.F16, 40, 35).fill(-1);
                gemm.run(a, b, around.narrow(1, 2, 30)).await();
                assertThat(around.getDouble(39, 31)).isEqualTo(20);
                assertThat(around.getDouble(0, 2)).isEqualTo(20);
                assertThat(around.getDouble(0, 1)).isEqualTo(-1);
                assertThat(around.getDouble(39, 32)).isEqualTo(-1);
            }
        });
    }

    @Test
    void whatIsNotANumberStaysInItsRows() throws Exception {
        Ranks.of(2).run(rank -> {
            AllGatherGemmShape shape = new AllGatherGemmShape(20, 9, 10, DType.BF16, SMALL);
            try (Arena arena = Arena.ofShared(); AllGatherGemm gemm = rank.kernels().allGatherGemm(shape)) {
                Tensor a = Tensor.allocate(arena, DType.BF16, 20, 10).fill(1);
                a.setDouble(rank.index() == 1 ? Double.NaN : Double.POSITIVE_INFINITY, 3, 4);
                Tensor c = Tensor.allocate(arena, DType.BF16, 40, 9).fill(Double.NaN);
                gemm.run(a, Tensor.allocate(arena, DType.BF16, 10, 9).fill(1), c).await();
                for (int row = 0; row < 40; row++) {
                    double wanted = row == 3 ? Double.POSITIVE_INFINITY : row == 23 ? Double.NaN : 10;
                    assertThat(c.getDouble(row, 8)).isEqualTo(Double.valueOf(wanted));
                }
            }
        });
    }

    // ---- Refusals

    @Test
    void whatItWasNotMadeForIsRefusedBeforeAnythingStarts() throws Exception {
        Ranks.of(1).run(rank -> {
            AllGatherGemmShape shape = new AllGatherGemmShape(4, 6, 8, DType.F16, SMALL);
            try (Arena arena = Arena.ofShared()) {
                AllGatherGemm gemm = rank.kernels().allGatherGemm(shape);
                Tensor a = Tensor.allocate(arena, DType.F16, 4, 8).fill(1);
                Tensor b = Tensor.allocate(arena, DType.F16, 8, 6).fill(1);
                Tensor c = Tensor.allocate(arena, DType.F16, 4, 6);
                refused(() -> gemm.run(null, b, c), "a is null");
                refused(() -> gemm.run(b, b, c), "wrong shape: a=");
                refused(() -> gemm.run(a, a, c), "wanted=8x6");
                refused(() -> gemm.run(a, b, b), "wrong shape: c=");
                refused(() -> gemm.run(a, b, Tensor.allocate(arena, DType.F32, 4, 6)),
                        "wrong dtype: c=fp32, wanted=fp16");
                refused(() -> gemm.run(Tensor.allocate(arena, DType.F16, 4, 9).narrow(1, 0, 8), b, c),
                        "not contiguous: tensor=a, row stride=9, columns=8");
                Tensor shared = Tensor.allocate(arena, DType.F16, 12, 8);
                refused(() -> gemm.run(a, shared.reshape(16, 6).narrow(0, 0, 8), shared.reshape(16, 6).narrow(0, 7, 4)),
                        "result overlaps an input: input=b");
                gemm.run(a, b, c).await();
                assertThat(c.getDouble(3, 5)).isEqualTo(8);
                gemm.close();
                gemm.close();
                refused(() -> gemm.run(a, b, c), "closed: object=AllGatherGemm");
            }
        });
    }

    @Test
    void shapesAndTilingsThatCannotWorkAreRefused() {
        refused(() -> new Tiling(16, 32, 32, 7, 32, 2, 1), "ring too shallow: ringDepth=1, minimum=2");
        refused(() -> new Tiling(0, 32, 32, 7, 32, 2, 2), "blockM=0");
        refused(() -> new Tiling(16, 32, 32, 7, 32, 0, 2), "blocksPerWave=0");
        refused(() -> new Tiling(1 << 20, 32, 32, 7, 32, 1 << 20, 2), "wave too tall");
        refused(() -> AllGatherGemmShape.of(1, 1, 0, DType.F16), "k=0");
        refused(() -> new AllGatherGemmShape(1, 1, 1, DType.I32, SMALL), "unsupported dtype: dtype=int32");
    }

    @Test
    void theMemoryItNeedsIsWhatTheOriginalNeeds() {
        // KERNELS 1.6: 2 * (512 * W) * K fp16 = 8 MiB * W.
        AllGatherGemmShape shape = new AllGatherGemmShape(4096, 4096, 4096, DType.F16, Tiling.npu());
        assertThat(shape.requiredBytes(1)).isEqualTo(8L << 20);
        assertThat(shape.requiredBytes(8)).isEqualTo(64L << 20);
        assertThat(shape.waves()).isEqualTo(8);
    }

    @Test
    void theHostsTilingIsNoLargerThanTheProblem() {
        for (int m : new int[]{1, 5, 100, 777, 4096, 100_000}) {
            for (int k : new int[]{1, 129, 4096, 1_000_000}) {
                Tiling tiling = Tiling.host(m, 333, k, DType.F32);
                assertThat(tiling.blockM()).isBetween(1, 256);
                assertThat(tiling.blockK()).isLessThanOrEqualTo(k);
                assertThat(tiling.commCols()).isEqualTo(k);
                assertThat((long) tiling.waveRows()).isLessThanOrEqualTo(m + 15L + tiling.blockM());
            }
        }
    }

    private static void refused(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(UsageException.class).hasMessageContaining(message);
    }

    // ---- The golden: nothing but loops over rows, columns and depth, in double

    private static void multiplyAndCheck(Rank rank, AllGatherGemmShape shape, int runs) {
        multiplyAndCheck(rank, rank.kernels(), shape, runs);
    }

    private static void multiplyAndCheck(Rank rank, FusedKernels kernels, AllGatherGemmShape shape, int runs) {
        int world = rank.world().size();
        try (Arena arena = Arena.ofShared(); AllGatherGemm gemm = kernels.allGatherGemm(shape)) {
            for (int run = 0; run < runs; run++) {
                Tensor[] shards = new Tensor[world];
                for (int source = 0; source < world; source++) {
                    shards[source] = Tensor.allocate(arena, shape.dtype(), shape.m(), shape.k());
                    RandomTensors.normal(shards[source], 1000L * run + source);
                }
                Tensor b = Tensor.allocate(arena, shape.dtype(), shape.k(), shape.n());
                RandomTensors.normal(b, 1000L * run + 500 + rank.index());
                Tensor c = Tensor.allocate(arena, shape.dtype(), (long) shape.m() * world, shape.n()).fill(Double.NaN);
                gemm.run(shards[rank.index()], b, c).await();
                for (int source = 0; source < world; source++) {
                    check(shards[source], b, c.narrow(0, (long) source * shape.m(), shape.m()),
                            "run " + run + ", rank " + rank.index() + ", source " + source);
                }
            }
        }
    }

    private static void check(Tensor a, Tensor b, Tensor c, String where) {
        int m = (int) a.size(0);
        int n = (int) b.size(1);
        int k = (int) a.size(1);
        float[] left = a.toFloatArray();
        float[] right = b.toFloatArray();
        float[] product = c.toFloatArray();
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                double sum = 0;
                double size = 0;
                for (int p = 0; p < k; p++) {
                    double term = (double) left[i * k + p] * right[p * n + j];
                    sum += term;
                    size += Math.abs(term);
                }
                double unit = switch (c.dtype()) {
                    case F16 -> 0x1p-11;
                    case BF16 -> 0x1p-8;
                    default -> 0x1p-24;
                };
                // One rounding to the type, and what fp32 sums may lose.
                double tolerance = Math.max(Math.abs(sum) * unit, 0x1p-25) + size * k * 0x1p-24;
                double got = product[i * n + j];
                if (!(Math.abs(got - sum) <= tolerance)) {
                    throw new AssertionError(where + ": c[" + i + ", " + j + "] is " + got + ", wanted " + sum
                            + " within " + tolerance);
                }
            }
        }
    }
}
