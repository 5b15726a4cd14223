/**
 * How a world works inside: ranks meet, prove that they belong together, and stay connected in a star through rank 0.
 *
 * <p>{@link dev.tandem.core.internal.world.LiveWorld} is a rank's end of it, {@link dev.tandem.core.internal.world.Hub}
 * the middle: a pure state machine of numbered collectives that compares what ranks call, relays their data in bounded
 * chunks and turns the first failure of any rank into a failure of all. Between the two lies a
 * {@link dev.tandem.core.internal.world.Link}: in memory for ranks of the hub's JVM, a
 * {@link dev.tandem.core.internal.world.Connection} for the others. {@link dev.tandem.core.internal.world.Rendezvous}
 * makes the connections. The hub's thread rule: its methods are synchronised and never block, whatever a peer does.
 *
 * {@snippet :
 * RankEnvironment environment = RankEnvironment.find(System.getenv()).orElseThrow();
 * try (LiveWorld world = Rendezvous.join(environment, JobSettings.defaults())) {
 *     world.group().barrier();
 *     world.leave();
 * }
 * List<LiveWorld> allInThisJvm = LiveWorld.inProcess(4, JobSettings.defaults());
 * }
 */
package dev.tandem.core.internal.world;
