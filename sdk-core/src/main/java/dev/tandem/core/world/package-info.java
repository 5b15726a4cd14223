/**
 * Ranks and worlds: who a rank is, how ranks find each other, and how a failure anywhere becomes a failure everywhere.
 *
 * <p>{@link dev.tandem.core.world.World} is what a rank sees of its job; its
 * {@link dev.tandem.core.world.ProcessGroup} carries bootstrap collectives. Where a rank comes from (Tandem's own
 * launcher, torchrun, Open MPI, Slurm) is read once by {@link dev.tandem.core.world.RankEnvironment}.
 *
 * {@snippet :
 * World world = rank.world();
 * List<String> hosts = world.group().allGather(hostName);
 * for (Deadline deadline = world.deadline(); !condition(); world.checkAlive()) {
 *     if (deadline.passed()) {
 *         throw new TimedOutException("...");
 *     }
 * }
 * }
 */
package dev.tandem.core.world;
