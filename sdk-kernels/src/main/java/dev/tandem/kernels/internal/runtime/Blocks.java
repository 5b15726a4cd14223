package dev.tandem.kernels.internal.runtime;

import dev.tandem.core.Check;
import dev.tandem.core.UsageException;
import dev.tandem.core.tensor.MatrixView;
import java.lang.foreign.MemorySegment;

/** Blocks of matrices: clipping at the edges, and copies that know what is contiguous. */
final class Blocks {

    private Blocks() {
    }

    /** Gives the part of a block that lies inside the matrix. */
    static MatrixView clip(MatrixView matrix, long row, long col, long rows, long cols) {
        if (row < 0 || row > matrix.rows() || col < 0 || col > matrix.cols()) {
            throw new UsageException(
                    "block starts outside: row=" + row + ", col=" + col + ", matrix=" + matrix.rows() + "x"
                            + matrix.cols() + "; start it inside");
        }
        Check.notNegative(rows, "rows of block");
        Check.notNegative(cols, "columns of block");
        return part(matrix, row, col, Math.min(rows, matrix.rows() - row), Math.min(cols, matrix.cols() - col));
    }

    /** Gives some rows, all of which must exist. */
    static MatrixView rowRange(MatrixView matrix, long first, long count) {
        Check.range(first, count, matrix.rows(), "row range");
        return part(matrix, first, 0, count, matrix.cols());
    }

    private static MatrixView part(MatrixView matrix, long row, long col, long rows, long cols) {
        return new MatrixView(matrix.segment(), matrix.dtype(), matrix.offset() + row * matrix.rowStride() + col, rows,
                cols, matrix.rowStride());
    }

    /** Copies a block into one of equal size and type: at once if both are contiguous, else row by row. */
    static void copy(MatrixView from, MatrixView to) {
        long width = from.cols() * from.dtype().bytes();
        if (width == 0 || from.rows() == 0) {
            return;
        }
        if (isContiguous(from) && isContiguous(to)) {
            MemorySegment.copy(from.segment(), from.byteOffset(0, 0), to.segment(), to.byteOffset(0, 0),
                    width * from.rows());
            return;
        }
        for (long r = 0; r < from.rows(); r++) {
            MemorySegment.copy(from.segment(), from.byteOffset(r, 0), to.segment(), to.byteOffset(r, 0), width);
        }
    }

    /** Says whether the rows follow each other without a gap. */
    static boolean isContiguous(MatrixView matrix) {
        return matrix.rowStride() == matrix.cols() || matrix.rows() <= 1;
    }
}
