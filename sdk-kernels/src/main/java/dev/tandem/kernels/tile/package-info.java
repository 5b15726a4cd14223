/**
 * The tile language: what kernels are written in.
 *
 * <p>A kernel is a static Java method that runs once for each program of a {@link dev.tandem.kernels.tile.Grid}, and in a
 * mixed grid once for each {@link dev.tandem.kernels.tile.Part} of it, on a {@link dev.tandem.kernels.tile.Core} of its own.
 * It loads tiles from views, computes on them and stores them to targets, and it waits for other cores and ranks by tokens. A
 * {@link dev.tandem.kernels.tile.KernelRuntime} launches it. Being Java, it can be stepped through: each part runs on a
 * thread whose name says rank, kernel, program and part.
 *
 * <p>All ranks add up their rows:
 *
 * {@snippet :
 * @Kernel
 * static void sum(Core core, SumArgs g) {
 *     for (int row = 32 * core.program(); row < g.rows(); row += 32 * core.programs()) {
 *         long mark = core.mark();
 *         Tile acc = core.zeros(32, g.cols(), DType.F32);
 *         for (int rank = 0; rank < core.ranks(); rank++) {
 *             core.add(acc, core.load(core.at(g.parts(), rank, g.written()), row, 0, 32, g.cols()), acc);
 *         }
 *         core.store(core.target(g.result()), row, 0, acc);
 *         core.release(mark);
 *     }
 * }
 * }
 *
 * <p>and is launched with {@code runtime.launch(stream, "sum", Grid.vector(runtime.cores()), MyKernels::sum, args)}.
 */
package dev.tandem.kernels.tile;
