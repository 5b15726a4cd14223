package dev.tandem.samples.golden;

import dev.tandem.core.Check;
import dev.tandem.core.tensor.Conversions;
import dev.tandem.core.tensor.MatrixView;
import dev.tandem.core.tensor.Tensor;
import dev.tandem.core.world.ProcessGroup;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A plain matrix product with fp32 accumulation, the reference that the fused kernels are compared with.
 *
 * <p>It shares nothing with the kernels or their matrix engine: no tiles, no index maps, no native code. Row i of the
 * product is the sum over k, in rising order of k, of {@code a[i][k]} times row k of b, four terms at a time.
 */
public final class GemmGolden {

    /** Rows and columns of b that are worked on together, so that they stay in a second-level cache. */
    private static final int DEPTH = 64;

    private static final int WIDTH = 1024;

    /** Rows of a that one task multiplies. */
    private static final int TASK_ROWS = 32;

    /** One array a row: only then does the compiler see that sums and factors never overlap, and vectorises. */
    private final float[][] b;

    private final int k;
    private final int n;
    private final int threads;

    /**
     * Takes the right-hand factor.
     *
     * @param b matrix of k rows and n columns, of any floating-point type
     * @param threads how many processors to use
     */
    public GemmGolden(Tensor b, int threads) {
        MatrixView view = b.matrix();
        this.k = Math.toIntExact(view.rows());
        this.n = Math.toIntExact(view.cols());
        this.b = rows(b);
        this.threads = Check.positive(threads, "threads");
    }

    /**
     * Collective. Gathers the shards of all ranks, one under the other, through the process group.
     *
     * @param group the ranks
     * @param shard this rank's rows, equally shaped on all ranks
     * @param arena where the gathered matrix lives
     * @return all shards in rank order
     */
    public static Tensor allGatherRows(ProcessGroup group, Tensor shard, Arena arena) {
        Tensor all = Tensor.allocate(arena, shard.dtype(), shard.size(0) * group.size(), shard.size(1));
        group.allGather(shard.segment().asSlice(0, shard.byteSize()), all.segment());
        return all;
    }

    /**
     * Multiplies.
     *
     * @param a matrix of m rows and k columns, of any floating-point type
     * @param c where the m rows and n columns go; rounded once, to its type
     */
    public void multiply(Tensor a, Tensor c) {
        Check.that(a.size(1) == k, "shapes do not fit: columns of a=" + a.size(1) + ", rows of b=" + k);
        Check.that(c.size(0) == a.size(0) && c.size(1) == n,
                "shapes do not fit: c=" + c + ", wanted=" + a.size(0) + "x" + n);
        long rows = a.size(0);
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> parts = new ArrayList<>();
            for (long first = 0; first < rows; first += TASK_ROWS) {
                long start = first;
                long count = Math.min(TASK_ROWS, rows - first);
                parts.add(pool.submit(() -> multiplyRows(a.narrow(0, start, count), c.narrow(0, start, count))));
            }
            for (Future<?> part : parts) {
                part.get();
            }
        } catch (ExecutionException failed) {
            throw new IllegalStateException("the reference product failed", failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the reference product was interrupted", interrupted);
        }
    }

    private void multiplyRows(Tensor a, Tensor c) {
        float[][] left = rows(a);
        float[][] sums = new float[left.length][n];
        for (int col = 0; col < n; col += WIDTH) {
            int colEnd = Math.min(n, col + WIDTH);
            for (int depth = 0; depth < k; depth += DEPTH) {
                int depthEnd = Math.min(k, depth + DEPTH);
                for (int row = 0; row < left.length; row++) {
                    addProducts(left[row], depth, depthEnd, sums[row], col, colEnd);
                }
            }
        }
        for (int row = 0; row < sums.length; row++) {
            Tensor target = c.narrow(0, row, 1);
            Conversions.fromFloats(sums[row], 0, target.segment(), target.dtype(), 0, n);
        }
    }

    private void addProducts(float[] left, int from, int to, float[] sum, int col, int colEnd) {
        int p = from;
        for (; p + 4 <= to; p += 4) {
            addFour(left[p], b[p], left[p + 1], b[p + 1], left[p + 2], b[p + 2], left[p + 3], b[p + 3], sum, col,
                    colEnd);
        }
        for (; p < to; p++) {
            float x = left[p];
            float[] row = b[p];
            for (int j = col; j < colEnd; j++) {
                sum[j] += x * row[j];
            }
        }
    }

    private static void addFour(float x0, float[] b0, float x1, float[] b1, float x2, float[] b2, float x3, float[] b3,
            float[] sum, int from, int to) {
        for (int j = from; j < to; j++) {
            sum[j] = (((sum[j] + x0 * b0[j]) + x1 * b1[j]) + x2 * b2[j]) + x3 * b3[j];
        }
    }

    private static float[][] rows(Tensor matrix) {
        float[][] rows = new float[Math.toIntExact(matrix.size(0))][];
        for (int row = 0; row < rows.length; row++) {
            rows[row] = matrix.narrow(0, row, 1).toFloatArray();
        }
        return rows;
    }
}
