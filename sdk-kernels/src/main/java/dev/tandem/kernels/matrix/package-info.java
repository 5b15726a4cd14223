/**
 * What multiplies tiles. {@link dev.tandem.kernels.matrix.MatrixEngine} is the CUBE of the host's cores: oneDNN where it
 * can be had, plain Java elsewhere, and each says which it is.
 *
 * {@snippet :
 * try (Arena arena = Arena.ofConfined()) {
 *     MatrixView c = new MatrixView(arena.allocate(4L * m * n), DType.F32, 0, m, n, n);
 *     engine.multiply(a, b, c, false);
 * }
 * }
 */
package dev.tandem.kernels.matrix;
