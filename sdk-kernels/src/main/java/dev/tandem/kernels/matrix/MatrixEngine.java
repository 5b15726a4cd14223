package dev.tandem.kernels.matrix;

import dev.tandem.core.tensor.MatrixView;

/**
 * What multiplies tiles: the CUBE of the host's cores.
 *
 * <p>Thread-safe: any number of logical cores call it at once, and each call computes on its caller's thread alone.
 * Close it after the last call has returned; closing frees everything native and is idempotent.
 */
public interface MatrixEngine extends AutoCloseable {

    /**
     * Computes {@code c = a x b}, or {@code c = c + a x b}, with fp32 accumulation: products of fp16 and bf16 values are
     * taken exactly, sums are fp32 in an order that the engine chooses. NaN and infinities propagate as in fp32
     * arithmetic; what {@code c} held before is not read unless {@code accumulate} is set.
     *
     * @param a m rows and k columns of fp16, bf16 or fp32, in native memory
     * @param b k rows and n columns of a's type, in native memory
     * @param c m rows and n columns of fp32, in native memory; must not overlap a or b
     * @param accumulate whether to add to what {@code c} holds
     * @throws dev.tandem.core.UsageException if shapes or types do not fit, or the engine is closed
     */
    void multiply(MatrixView a, MatrixView b, MatrixView c, boolean accumulate);

    /**
     * Says which engine this is, how it computes each type, and, if it is not the one that a machine like this should
     * have, why.
     *
     * @return such as {@code oneDNN 3.11 (avx512_core_bf16), fp16 as fp32}
     */
    String describe();

    /** Frees the engine's native memory. */
    @Override
    void close();
}
