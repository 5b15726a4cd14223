/**
 * The fused kernels: products whose communication runs while they compute. {@link dev.tandem.kernels.fused.FusedKernels}
 * makes them; each is an object that owns its symmetric workspace, checks what it is given before anything starts, and is
 * run again and again on a stream.
 *
 * {@snippet :
 * AllGatherGemmShape shape = AllGatherGemmShape.of(m, n, k, DType.BF16);
 * long staging = shape.requiredBytes(world.size());        // symmetric memory it will take, in bytes
 * try (AllGatherGemm gemm = kernels.allGatherGemm(shape)) { // collective
 *     Event done = gemm.run(a, b, c);                       // asynchronous; all ranks run it equally often
 *     done.await();
 * }
 * }
 */
package dev.tandem.kernels.fused;
