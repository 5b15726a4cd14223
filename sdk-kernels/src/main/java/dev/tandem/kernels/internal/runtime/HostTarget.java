package dev.tandem.kernels.internal.runtime;

import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.MatrixView;
import dev.tandem.kernels.tile.Target;

/** A target whose memory this process addresses. */
record HostTarget(MatrixView matrix) implements Target {

    @Override
    public long rows() {
        return matrix.rows();
    }

    @Override
    public long cols() {
        return matrix.cols();
    }

    @Override
    public DType dtype() {
        return matrix.dtype();
    }

    @Override
    public Target rowRange(long first, long count) {
        return new HostTarget(Blocks.rowRange(matrix, first, count));
    }

    @Override
    public Target block(long row, long col, long blockRows, long blockCols) {
        return new HostTarget(Blocks.clip(matrix, row, col, blockRows, blockCols));
    }

    @Override
    public String toString() {
        return "target " + rows() + "x" + cols() + " " + dtype();
    }
}
