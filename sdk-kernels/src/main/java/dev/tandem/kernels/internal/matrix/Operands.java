package dev.tandem.kernels.internal.matrix;

import dev.tandem.core.Check;
import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.MatrixView;

/** The preconditions that all engines share. */
final class Operands {

    private Operands() {
    }

    /**
     * Checks one product.
     *
     * @return false if the product is empty, so that there is nothing to multiply
     */
    static boolean check(MatrixView a, MatrixView b, MatrixView c) {
        DType type = a.dtype();
        if (type != b.dtype() || c.dtype() != DType.F32
                || type != DType.F16 && type != DType.BF16 && type != DType.F32) {
            Check.that(false, "types do not fit: a=" + type + ", b=" + b.dtype() + ", c=" + c.dtype()
                    + "; multiply fp16, bf16 or fp32 of one type into fp32");
        }
        if (a.cols() != b.rows() || a.rows() != c.rows() || b.cols() != c.cols()) {
            Check.that(false, "shapes do not fit: a=" + a.rows() + "x" + a.cols() + ", b=" + b.rows() + "x" + b.cols()
                    + ", c=" + c.rows() + "x" + c.cols() + "; pass m x k, k x n and m x n");
        }
        if (!a.segment().isNative() || !b.segment().isNative() || !c.segment().isNative()) {
            Check.that(false, "operand on the Java heap; allocate it from an Arena");
        }
        return c.rows() > 0 && c.cols() > 0 && a.cols() > 0;
    }

    /** Writes zeros, which is the product over no terms. */
    static void clear(MatrixView c) {
        for (long row = 0; row < c.rows(); row++) {
            c.segment().asSlice(c.byteOffset(row, 0), c.cols() * c.dtype().bytes()).fill((byte) 0);
        }
    }
}
