/**
 * Running a program on all ranks of a job: from a shell, from an IDE, or as part of another launcher's job.
 *
 * <p>A {@link dev.tandem.core.launch.RankProgram} is what every rank runs; {@link dev.tandem.core.launch.Tandem} starts it;
 * a {@link dev.tandem.core.launch.RankContext} is what it sees of its rank. Its objects come from the Guice modules that
 * it names in {@link dev.tandem.core.launch.RankModules}, beside {@link dev.tandem.core.launch.CoreModule}. The ranks are
 * processes, or threads of one JVM for a debugger ({@code --mode inproc}); the program cannot tell.
 *
 * {@snippet :
 * @Command(name = "hello")
 * public final class Hello implements RankProgram {
 *     @Override public int run(RankContext rank) {
 *         rank.printInOrder("Hello from rank " + rank.world().rank() + " of " + rank.world().size());
 *         return 0;
 *     }
 *     public static void main(String[] args) {
 *         System.exit(Tandem.main(Hello.class, args));
 *     }
 * }
 * }
 */
package dev.tandem.core.launch;
