package dev.tandem.kernels.internal.matrix;

import dev.tandem.core.tensor.MatrixView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Rows of fp16, bf16 or fp32 as floats; every value is kept exactly. The loops are of the form that C2 vectorises. */
final class Widening {

    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

    private Widening() {
    }

    /** Reads one row of a view into the start of {@code to}. */
    static void readRow(MatrixView from, long row, float[] to) {
        MemorySegment segment = from.segment();
        long offset = from.byteOffset(row, 0);
        int cols = (int) from.cols();
        switch (from.dtype()) {
            case F16 -> readF16(segment, offset, to, cols);
            case BF16 -> readBf16(segment, offset, to, cols);
            default -> MemorySegment.copy(segment, FLOAT, offset, to, 0, cols);
        }
    }

    private static void readF16(MemorySegment segment, long offset, float[] to, int cols) {
        for (int col = 0; col < cols; col++) {
            to[col] = Float.float16ToFloat(segment.get(SHORT, offset + 2L * col));
        }
    }

    private static void readBf16(MemorySegment segment, long offset, float[] to, int cols) {
        for (int col = 0; col < cols; col++) {
            to[col] = Float.intBitsToFloat(segment.get(SHORT, offset + 2L * col) << 16);
        }
    }
}
