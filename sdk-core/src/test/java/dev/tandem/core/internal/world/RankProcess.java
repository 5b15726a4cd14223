package dev.tandem.core.internal.world;

import dev.tandem.core.AllowedApi;
import dev.tandem.core.TandemException;
import dev.tandem.core.world.RankEnvironment;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/** The main class of a rank in a JVM of its own, for {@link WorldIT}. Prints {@code READY}, then how it ended. */
@AllowedApi("the main of a child process: its output and exit status are what the test reads")
final class RankProcess {

    private RankProcess() {
    }

    public static void main(String[] arguments) throws Exception {
        RankEnvironment environment = RankEnvironment.find(System.getenv()).orElseThrow();
        LiveWorld world = Rendezvous.join(environment, Worlds.settings(Long.parseLong(arguments[1])));
        world.group().barrier();
        System.out.println("READY " + world.jobId());
        try {
            switch (arguments[0]) {
                case "barrier" -> {
                    if (world.rank() == 1) {
                        Thread.sleep(Long.MAX_VALUE);
                    }
                    world.group().barrier();
                }
                case "gather" -> {
                    byte[] mine = new byte[8 << 20];
                    byte[] all = new byte[mine.length * world.size()];
                    while (true) {
                        world.group().allGather(MemorySegment.ofArray(mine), MemorySegment.ofArray(all));
                    }
                }
                case "stuck" -> {
                    world.afterAbort(TimeUnit.MILLISECONDS.toNanos(500), () -> Runtime.getRuntime().halt(9));
                    if (world.rank() == 1) {
                        throw new IllegalStateException("boom");
                    }
                    Thread.sleep(Long.MAX_VALUE); // a main thread that looks at nothing
                }
                default -> {
                }
            }
            world.close();
            System.out.println("DONE");
        } catch (TandemException | IllegalStateException e) {
            System.out.println("HEARD " + System.currentTimeMillis());
            world.abort(e);
            world.close();
            System.out.println("FAILED " + e.getClass().getSimpleName() + ": " + e.getMessage());
            System.exit(1);
        }
    }
}
