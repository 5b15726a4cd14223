/**
 * Distributed kernels on tiles: {@link dev.tandem.kernels.FusedKernelsModule} gives a rank the runtime that executes them
 * and the fused ones that come with Tandem.
 *
 * <p>What kernels are written in is {@link dev.tandem.kernels.tile}; the fused ones are in {@link dev.tandem.kernels.fused};
 * what multiplies their tiles is {@link dev.tandem.kernels.matrix}.
 *
 * {@snippet :
 * @RankModules({SymmetricHeapModule.class, FusedKernelsModule.class})
 * final class MyProgram implements RankProgram {
 *     public int run(RankContext rank) {
 *         FusedKernels kernels = rank.get(FusedKernels.class);
 *         try (AllGatherGemm gemm = kernels.allGatherGemm(AllGatherGemmShape.of(m, n, k, DType.F16))) {
 *             gemm.run(a, b, c).await();
 *         }
 *         return 0;
 *     }
 * }
 * }
 */
package dev.tandem.kernels;
