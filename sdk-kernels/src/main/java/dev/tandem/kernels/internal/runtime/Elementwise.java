package dev.tandem.kernels.internal.runtime;

import dev.tandem.core.tensor.Conversions;
import dev.tandem.core.tensor.MatrixView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Arithmetic on blocks, row by row through two small arrays that stay in cache, so that the compiler vectorises the loops
 * whatever memory the blocks lie in.
 *
 * <p>Confined to one thread.
 */
final class Elementwise {

    private static final VarHandle INT_BITS = ValueLayout.JAVA_INT.varHandle();

    private float[] x = new float[0];
    private float[] y = new float[0];

    /** {@code to = from}, rounded once; of equal size. */
    void convert(MatrixView from, MatrixView to) {
        if (Blocks.isContiguous(from) && Blocks.isContiguous(to)) {
            Conversions.convert(from.segment(), from.dtype(), from.offset(), to.segment(), to.dtype(), to.offset(),
                    from.rows() * from.cols());
            return;
        }
        for (long r = 0; r < from.rows(); r++) {
            Conversions.convert(from.segment(), from.dtype(), start(from, r), to.segment(), to.dtype(), start(to, r),
                    from.cols());
        }
    }

    /** {@code into = a + b} on {@code rows} by {@code cols}; what a or b lacks counts as zero. */
    void add(MatrixView a, MatrixView b, MatrixView into, long rows, long cols) {
        int width = reserve(cols);
        for (long r = 0; r < rows; r++) {
            read(a, r, x, width);
            read(b, r, y, width);
            addTo(x, y, width);
            write(x, width, into, r);
        }
    }

    /** {@code into = a * b} on {@code rows} by {@code cols}; what a or b lacks counts as zero. */
    void mul(MatrixView a, MatrixView b, MatrixView into, long rows, long cols) {
        int width = reserve(cols);
        for (long r = 0; r < rows; r++) {
            read(a, r, x, width);
            read(b, r, y, width);
            mulTo(x, y, width);
            write(x, width, into, r);
        }
    }

    /** {@code into = a * factor} on {@code rows} by {@code cols}. */
    void scale(MatrixView a, float factor, MatrixView into, long rows, long cols) {
        int width = reserve(cols);
        for (long r = 0; r < rows; r++) {
            read(a, r, x, width);
            scaleTo(x, factor, width);
            write(x, width, into, r);
        }
    }

    /** Sets every element to a value, rounded once. */
    void fill(MatrixView block, double value) {
        int width = reserve(block.cols());
        double[] one = {value};
        for (int c = 0; c < width; c++) {
            Conversions.fromDoubles(one, 0, block.segment(), block.dtype(), block.offset() + c, 1);
        }
        MatrixView first = Blocks.rowRange(block, 0, 1);
        for (long r = 1; r < block.rows(); r++) {
            Blocks.copy(first, Blocks.rowRange(block, r, 1));
        }
    }

    /** Sets to zero what lies right of {@code cols} or below {@code rows}. */
    void clearBeyond(MatrixView block, long rows, long cols) {
        for (long r = 0; r < block.rows(); r++) {
            long from = r < rows ? Math.min(cols, block.cols()) : 0;
            int bytes = block.dtype().bytes();
            block.segment().asSlice(block.byteOffset(r, from), (block.cols() - from) * bytes).fill((byte) 0);
        }
    }

    /** Adds to fp32 memory, each element atomically: compare-and-set on its bits. */
    void atomicAdd(MatrixView a, MatrixView to) {
        int width = reserve(a.cols());
        for (long r = 0; r < a.rows(); r++) {
            read(a, r, x, width);
            long at = to.byteOffset(r, 0);
            for (int c = 0; c < width; c++) {
                addAtomically(to.segment(), at + 4L * c, x[c]);
            }
        }
    }

    private static void addAtomically(MemorySegment segment, long at, float value) {
        int seen = (int) INT_BITS.getVolatile(segment, at);
        while (true) {
            int sum = Float.floatToRawIntBits(Float.intBitsToFloat(seen) + value);
            int found = (int) INT_BITS.compareAndExchange(segment, at, seen, sum);
            if (found == seen) {
                return;
            }
            seen = found;
        }
    }

    private int reserve(long cols) {
        int width = Math.toIntExact(cols);
        if (x.length < width) {
            x = new float[width];
            y = new float[width];
        }
        return width;
    }

    private static void read(MatrixView block, long row, float[] values, int width) {
        int count = row < block.rows() ? (int) Math.min(width, block.cols()) : 0;
        if (count > 0) {
            Conversions.toFloats(block.segment(), block.dtype(), start(block, row), values, 0, count);
        }
        Arrays.fill(values, count, width, 0);
    }

    private static void write(float[] values, int width, MatrixView block, long row) {
        Conversions.fromFloats(values, 0, block.segment(), block.dtype(), start(block, row), width);
    }

    private static long start(MatrixView block, long row) {
        return block.offset() + row * block.rowStride();
    }

    private static void addTo(float[] a, float[] b, int n) {
        for (int i = 0; i < n; i++) {
            a[i] += b[i];
        }
    }

    private static void mulTo(float[] a, float[] b, int n) {
        for (int i = 0; i < n; i++) {
            a[i] *= b[i];
        }
    }

    private static void scaleTo(float[] a, float factor, int n) {
        for (int i = 0; i < n; i++) {
            a[i] *= factor;
        }
    }
}
