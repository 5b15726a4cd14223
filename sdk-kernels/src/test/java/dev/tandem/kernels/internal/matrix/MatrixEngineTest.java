package dev.tandem.kernels.internal.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.UsageException;
import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.MatrixView;
import dev.tandem.kernels.matrix.MatrixEngine;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One suite for all engines, against sums in fp64. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class MatrixEngineTest {

    private static final DType[] TYPES = {DType.F16, DType.BF16, DType.F32};

    private List<MatrixEngine> engines;

    @BeforeAll
    void open() {
        engines = List.of(new JavaMatrixEngine(""), OneDnnMatrixEngine.open(System.getenv()));
    }

    @AfterAll
    void close() {
        engines.forEach(MatrixEngine::close);
        engines.forEach(MatrixEngine::close);
    }

    List<MatrixEngine> engines() {
        return engines;
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("engines")
    void agreesWithFp64OnRandomShapesAndStrides(MatrixEngine engine) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 60; round++) {
            int m = 1 + random.nextInt(70);
            int n = 1 + random.nextInt(70);
            int k = 1 + random.nextInt(round % 10 == 0 ? 700 : 70);
            DType type = TYPES[round % TYPES.length];
            check(engine, random, type, m, n, k, round % 2 == 0, "seed=" + seed + ", round=" + round);
        }
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("engines")
    void handlesSinglesAndEmptyDepth(MatrixEngine engine) {
        Random random = new Random(1);
        for (DType type : TYPES) {
            check(engine, random, type, 1, 1, 1, false, "1x1x1");
            check(engine, random, type, 1, 65, 3, true, "one row");
            check(engine, random, type, 65, 1, 3, false, "one column");
            check(engine, random, type, 5, 7, 0, false, "no depth");
            check(engine, random, type, 5, 7, 0, true, "no depth, accumulating");
        }
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("engines")
    void productsOfFp16AreExact(MatrixEngine engine) {
        try (Arena arena = Arena.ofConfined()) {
            MatrixView a = allocate(arena, DType.F16, 1, 1, 1);
            MatrixView b = allocate(arena, DType.F16, 1, 1, 1);
            MatrixView c = allocate(arena, DType.F32, 1, 1, 1);
            set(a, 0, 0, 1 + 0x1p-10f);
            set(b, 0, 0, 1 + 0x1p-10f);
            engine.multiply(a, b, c, false);
            assertThat(get(c, 0, 0)).isEqualTo((1 + 0x1p-10f) * (1 + 0x1p-10f));
        }
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("engines")
    void notANumberAndInfinityPropagate(MatrixEngine engine) {
        for (DType type : TYPES) {
            try (Arena arena = Arena.ofConfined()) {
                MatrixView a = allocate(arena, type, 3, 20, 20);
                MatrixView b = allocate(arena, type, 20, 17, 17);
                MatrixView c = allocate(arena, DType.F32, 3, 17, 17);
                fill(a, new Random(2));
                fill(b, new Random(3));
                set(a, 0, 4, Float.NaN);
                set(a, 1, 5, Float.POSITIVE_INFINITY);
                set(b, 5, 3, 2);
                engine.multiply(a, b, c, false);
                for (int col = 0; col < 17; col++) {
                    assertThat(get(c, 0, col)).as("%s column %d", type, col).isNaN();
                }
                assertThat(get(c, 1, 3)).isEqualTo(Float.POSITIVE_INFINITY);
                assertThat(get(c, 2, 3)).isFinite();
            }
        }
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("engines")
    void sixteenThreadsDoNotDisturbEachOther(MatrixEngine engine) throws Exception {
        List<Callable<Void>> calls = new ArrayList<>();
        for (int thread = 0; thread < 16; thread++) {
            int id = thread;
            calls.add(() -> {
                Random random = new Random(id);
                for (int round = 0; round < 20; round++) {
                    check(engine, random, TYPES[round % 3], 33 + id, 20 + round, 65, round % 2 == 1, "thread " + id);
                }
                return null;
            });
        }
        try (ExecutorService pool = Executors.newFixedThreadPool(16)) {
            for (Future<Void> call : pool.invokeAll(calls, 100, TimeUnit.SECONDS)) {
                call.get();
            }
        }
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("engines")
    void refusesWhatDoesNotFit(MatrixEngine engine) {
        try (Arena arena = Arena.ofConfined()) {
            MatrixView a = allocate(arena, DType.F16, 2, 3, 3);
            MatrixView b = allocate(arena, DType.F16, 4, 5, 5);
            MatrixView c = allocate(arena, DType.F32, 2, 5, 5);
            assertThatThrownBy(() -> engine.multiply(a, b, c, false)).isInstanceOf(UsageException.class)
                    .hasMessage("shapes do not fit: a=2x3, b=4x5, c=2x5; pass m x k, k x n and m x n");
            assertThatThrownBy(() -> engine.multiply(a, c, c, false)).isInstanceOf(UsageException.class)
                    .hasMessageContaining("types do not fit: a=fp16, b=fp32, c=fp32");
            MatrixView heap = new MatrixView(MemorySegment.ofArray(new float[6]), DType.F32, 0, 2, 3, 3);
            assertThatThrownBy(() -> engine.multiply(heap, allocate(arena, DType.F32, 3, 5, 5), c, false))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("operand on the Java heap");
        }
    }

    private static void check(MatrixEngine engine, Random random, DType type, int m, int n, int k, boolean accumulate,
            String what) {
        try (Arena arena = Arena.ofConfined()) {
            MatrixView a = allocate(arena, type, m, k, k + random.nextInt(9));
            MatrixView b = allocate(arena, type, k, n, n + random.nextInt(9));
            MatrixView c = allocate(arena, DType.F32, m, n, n + random.nextInt(9));
            fill(a, random);
            fill(b, random);
            double[][] wanted = new double[m][n];
            for (int row = 0; row < m; row++) {
                for (int col = 0; col < n; col++) {
                    set(c, row, col, accumulate ? random.nextFloat() : Float.NaN);
                    double sum = accumulate ? get(c, row, col) : 0;
                    for (int p = 0; p < k; p++) {
                        sum += (double) get(a, row, p) * get(b, p, col);
                    }
                    wanted[row][col] = sum;
                }
            }
            engine.multiply(a, b, c, accumulate);
            double bound = (k + 2) * 4.0 * 0x1p-23;
            for (int row = 0; row < m; row++) {
                for (int col = 0; col < n; col++) {
                    double seen = get(c, row, col);
                    assertThat(Math.abs(seen - wanted[row][col]) <= bound)
                            .as("%s: %s %s %dx%dx%d accumulate=%s at (%d, %d): seen %s, wanted %s", what,
                                    engine.describe(), type, m, n, k, accumulate, row, col, seen, wanted[row][col])
                            .isTrue();
                }
            }
        }
    }

    private static MatrixView allocate(Arena arena, DType type, int rows, int cols, int stride) {
        MemorySegment memory = arena.allocate(Math.max(64, (long) rows * stride * type.bytes() + 64), 64);
        return new MatrixView(memory, type, 3, rows, cols, Math.max(stride, cols));
    }

    private static void fill(MatrixView view, Random random) {
        for (int row = 0; row < view.rows(); row++) {
            for (int col = 0; col < view.cols(); col++) {
                set(view, row, col, random.nextFloat() * 2 - 1);
            }
        }
    }

    private static void set(MatrixView view, int row, int col, float value) {
        long at = view.byteOffset(row, col);
        switch (view.dtype()) {
            case F16 -> view.segment().set(ValueLayout.JAVA_SHORT_UNALIGNED, at, Float.floatToFloat16(value));
            case BF16 -> view.segment()
                    .set(ValueLayout.JAVA_SHORT_UNALIGNED, at,
                            (short) (Float.isNaN(value) ? 0x7fc0 : Float.floatToRawIntBits(value) >>> 16));
            default -> view.segment().set(ValueLayout.JAVA_FLOAT_UNALIGNED, at, value);
        }
    }

    private static float get(MatrixView view, int row, int col) {
        long at = view.byteOffset(row, col);
        return switch (view.dtype()) {
            case F16 -> Float.float16ToFloat(view.segment().get(ValueLayout.JAVA_SHORT_UNALIGNED, at));
            case BF16 -> Float.intBitsToFloat(view.segment().get(ValueLayout.JAVA_SHORT_UNALIGNED, at) << 16);
            default -> view.segment().get(ValueLayout.JAVA_FLOAT_UNALIGNED, at);
        };
    }
}
