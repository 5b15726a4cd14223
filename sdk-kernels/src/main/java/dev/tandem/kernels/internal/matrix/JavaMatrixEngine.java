package dev.tandem.kernels.internal.matrix;

import dev.tandem.core.Check;
import dev.tandem.core.tensor.MatrixView;
import dev.tandem.kernels.matrix.MatrixEngine;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The engine in plain Java: the fallback where no native one is to be had, and the cross-check of the native one.
 *
 * <p>Each thread keeps the rows of b and one row of a and c as float arrays: one array a row, because only then does the
 * compiler see that they never overlap, and vectorises.
 */
public final class JavaMatrixEngine implements MatrixEngine {

    private final String reason;
    private final ThreadLocal<Rows> rows = ThreadLocal.withInitial(Rows::new);
    private volatile boolean closed;

    /**
     * Makes the engine.
     *
     * @param reason why it is this one and not the native one, for {@link #describe()}; empty if it was asked for
     */
    public JavaMatrixEngine(String reason) {
        this.reason = Check.notNull(reason, "reason");
    }

    @Override
    public void multiply(MatrixView a, MatrixView b, MatrixView c, boolean accumulate) {
        Check.that(!closed, "matrix engine is closed; multiply before closing it");
        if (!Operands.check(a, b, c)) {
            if (!accumulate) {
                Operands.clear(c);
            }
            return;
        }
        Rows mine = rows.get();
        int k = Math.toIntExact(b.rows());
        int n = Math.toIntExact(b.cols());
        mine.reserve(k, n);
        for (int row = 0; row < k; row++) {
            Widening.readRow(b, row, mine.b[row]);
        }
        for (long row = 0; row < c.rows(); row++) {
            Widening.readRow(a, row, mine.a);
            if (accumulate) {
                Widening.readRow(c, row, mine.c);
            } else {
                java.util.Arrays.fill(mine.c, 0, n, 0f);
            }
            addProducts(mine.a, mine.b, mine.c, k, n);
            MemorySegment.copy(mine.c, 0, c.segment(), ValueLayout.JAVA_FLOAT_UNALIGNED, c.byteOffset(row, 0), n);
        }
    }

    private static void addProducts(float[] a, float[][] b, float[] c, int k, int n) {
        int p = 0;
        for (; p + 4 <= k; p += 4) {
            addFour(a[p], b[p], a[p + 1], b[p + 1], a[p + 2], b[p + 2], a[p + 3], b[p + 3], c, n);
        }
        for (; p < k; p++) {
            addOne(a[p], b[p], c, n);
        }
    }

    private static void addFour(float a0, float[] b0, float a1, float[] b1, float a2, float[] b2, float a3, float[] b3,
            float[] c, int n) {
        for (int j = 0; j < n; j++) {
            c[j] += (a0 * b0[j] + a1 * b1[j]) + (a2 * b2[j] + a3 * b3[j]);
        }
    }

    private static void addOne(float a0, float[] b0, float[] c, int n) {
        for (int j = 0; j < n; j++) {
            c[j] += a0 * b0[j];
        }
    }

    @Override
    public String describe() {
        return reason.isEmpty() ? "plain Java" : "plain Java, because " + reason;
    }

    @Override
    public void close() {
        closed = true;
    }

    private static final class Rows {

        private float[] a = {};
        private float[] c = {};
        private float[][] b = {};

        private void reserve(int k, int n) {
            if (a.length < k) {
                a = new float[k];
            }
            if (b.length < k || c.length < n) {
                c = new float[Math.max(n, c.length)];
                b = new float[Math.max(k, b.length)][c.length];
            }
        }
    }
}
