/**
 * NumPy {@code .npy} files: one tensor a file.
 *
 * <p>{@link dev.tandem.core.npy.Npy} reads versions 1.0, 2.0 and 3.0, C and Fortran order, little and big endian, and writes
 * version 1.0, C order, little endian. Types are fp16, fp32, fp64, int32 and int64; NumPy has no bfloat16, so bf16 travels as the
 * {@code uint16} of its bits.
 *
 * {@snippet :
 * Tensor a = Npy.read(Path.of("A0.npy"), arena, DType.F16, m, k);
 * Npy.readInto(Path.of("B0.npy"), b);
 * Npy.write(Path.of("C0.npy"), c);
 * // in Python: numpy.load("C0.npy")
 * // bf16:      torch.from_numpy(numpy.load("C0.npy").view("int16")).view(torch.bfloat16)
 * }
 */
package dev.tandem.core.npy;
