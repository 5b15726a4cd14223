package dev.tandem.kernels.testing;

import dev.tandem.core.tensor.Conversions;
import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.MatrixView;
import dev.tandem.kernels.matrix.MatrixEngine;

/** The definition of the engine, word by word, in double arithmetic; shares nothing with the real ones. */
public final class PlainEngine implements MatrixEngine {

    @Override
    public void multiply(MatrixView a, MatrixView b, MatrixView c, boolean accumulate) {
        for (long i = 0; i < c.rows(); i++) {
            for (long j = 0; j < c.cols(); j++) {
                double sum = accumulate ? at(c, i, j) : 0;
                for (long k = 0; k < a.cols(); k++) {
                    sum += at(a, i, k) * at(b, k, j);
                }
                Conversions.fromDoubles(new double[]{sum}, 0, c.segment(), DType.F32,
                        c.offset() + i * c.rowStride() + j, 1);
            }
        }
    }

    private static double at(MatrixView view, long row, long col) {
        double[] value = new double[1];
        Conversions.toDoubles(view.segment(), view.dtype(), view.offset() + row * view.rowStride() + col, value, 0, 1);
        return value[0];
    }

    @Override
    public String describe() {
        return "plain definition";
    }

    @Override
    public void close() {
    }
}
