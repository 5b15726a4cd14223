/**
 * Data on the host: element types, tensors, conversions between the types, random contents and comparison.
 *
 * <p>{@link dev.tandem.core.tensor.Tensor} is the main type: a shape over memory that somebody else owns. Everything here
 * computes in {@code double} or {@code float} and rounds to an element type once, to nearest even.
 *
 * {@snippet :
 * try (Arena arena = Arena.ofConfined()) {
 *     Tensor a = Tensor.allocate(arena, DType.F16, 4096, 4096);
 *     RandomTensors.normal(a, RandomTensors.seed(42, rank));
 *     Tensor b = Tensor.allocate(arena, DType.F32, 4096, 4096).copyFrom(a);
 *     Closeness.Report report = Closeness.compare(a, b, 1e-3, 1e-3);
 * }
 * }
 */
package dev.tandem.core.tensor;
