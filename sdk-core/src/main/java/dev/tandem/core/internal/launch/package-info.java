/**
 * How a program becomes a job: options, ranks in processes or threads, their output, and their common end.
 *
 * <p>{@link dev.tandem.core.internal.launch.ProgramLauncher} is the way in. It parses
 * ({@code ProgramCommand}, {@code JobOptions}, {@code JobPlan}) and then either joins a job as one rank
 * ({@code JoinedRank}) or starts one ({@code ProcessLauncher}, {@code InProcessLauncher}). Whatever the mode, a rank's
 * program runs in {@code RankRunner}. Not exported.
 *
 * {@snippet :
 * int status = ProgramLauncher.run(MyProgram.class, "my-program", List.of("--nproc-per-node", "4"), Console.ofProcess());
 * }
 */
package dev.tandem.core.internal.launch;
