package dev.tandem.core.device;

import dev.tandem.core.Check;
import dev.tandem.core.world.World;
import java.util.concurrent.Semaphore;

/**
 * The processor slots of one rank. A logical core computes only while it holds one, and gives it back while it waits for
 * others, so that many cores make progress on few processors.
 *
 * <p>Slots are handed out first come, first served, so a core that asks gets one after every core before it has given way once.
 * A wait for a slot has no timeout of its own, for it waits for this rank's own computing only, which may be long; the host's
 * wait for the launch is the one that is bounded. When the job comes down, every wait fails at once.
 *
 * <p>Thread-safe. Slots belong to nobody: any thread may give back what another has taken.
 */
public final class ProcessorPermits {

    /** Enough to wake every thread, and far enough from an overflow for those that still give back theirs. */
    private static final int FLOOD = Integer.MAX_VALUE / 2;

    private final World world;
    private final int count;
    private final Semaphore slots;

    /**
     * Creates the slots.
     *
     * @param world the rank's world, whose end ends every wait
     * @param count how many threads may compute at once, at least 1
     */
    public ProcessorPermits(World world, int count) {
        this.world = Check.notNull(world, "world");
        this.count = Check.positive(count, "permits");
        this.slots = new Semaphore(count, true);
        world.onAbort(() -> slots.release(FLOOD));
    }

    /**
     * Says how many threads may compute at once.
     *
     * @return at least 1
     */
    public int count() {
        return count;
    }

    /**
     * Takes a slot, after all threads that asked before. Interrupts do not end the wait.
     *
     * @throws dev.tandem.core.JobAbortedException if the job comes down; no slot is held then
     * @throws dev.tandem.core.PeerLostException if it comes down because a rank died; no slot is held then
     */
    public void acquire() {
        world.checkAlive();
        slots.acquireUninterruptibly();
        if (world.aborted()) {
            slots.release();
            world.checkAlive();
        }
    }

    /**
     * Takes a slot if one is free and nobody waits for it.
     *
     * @return whether a slot was taken
     */
    public boolean tryAcquire() {
        return !slots.hasQueuedThreads() && slots.tryAcquire();
    }

    /** Gives a slot back. */
    public void release() {
        slots.release();
    }

    /**
     * Says whether some thread waits for a slot, so that a thread that only spins should give way. A hint.
     *
     * @return true if somebody waits
     */
    public boolean contended() {
        return slots.hasQueuedThreads();
    }
}
