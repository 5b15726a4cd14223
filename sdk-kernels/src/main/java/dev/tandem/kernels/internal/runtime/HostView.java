package dev.tandem.kernels.internal.runtime;

import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.MatrixView;
import dev.tandem.kernels.tile.View;

/** A view whose memory this process addresses. */
record HostView(MatrixView matrix) implements View {

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
    public View rowRange(long first, long count) {
        return new HostView(Blocks.rowRange(matrix, first, count));
    }

    @Override
    public View block(long row, long col, long blockRows, long blockCols) {
        return new HostView(Blocks.clip(matrix, row, col, blockRows, blockCols));
    }

    @Override
    public String toString() {
        return "view " + rows() + "x" + cols() + " " + dtype();
    }
}
