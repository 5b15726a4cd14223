package dev.tandem.kernels.internal.runtime;

import dev.tandem.core.TimedOutException;
import dev.tandem.core.UsageException;
import dev.tandem.core.world.Deadline;
import dev.tandem.core.world.World;
import dev.tandem.shmem.Token;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Where all parts of one launch meet, and through the last of them all ranks.
 *
 * <p>Parts count themselves; the last one to arrive meets the other ranks and then opens the next round. The others park
 * without a permit. Arrival is a read-modify-write of one counter and opening is a release store of the round, so that what
 * any part wrote before its barrier is seen by every part after it.
 *
 * <p>Every part calls the barrier equally often. A part that ends while others wait here, or that others wait for after it
 * has ended, is a failure at once.
 */
final class PartsBarrier {

    private static final int SPINS = 64;
    private static final long LONGEST_PARK_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final World world;
    private final PartThread[] parts;
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private volatile int round;
    private volatile Token token;

    /** Makes the barrier of the given parts. */
    PartsBarrier(World world, PartThread[] parts) {
        this.world = world;
        this.parts = parts;
    }

    /** Meets all others; {@code acrossRanks} is called by the last part. */
    Token await(PartThread me, Supplier<Token> acrossRanks) {
        int mine = round;
        me.setBarriers(mine + 1);
        int count = arrived.incrementAndGet();
        requireNobodyEnded(mine);
        if (count == parts.length) {
            Token passed = acrossRanks.get();
            token = passed;
            arrived.set(0);
            round = mine + 1;
            wakeAll();
            return passed;
        }
        for (int turn = 0; round == mine && turn < SPINS; turn++) {
            Thread.onSpinWait();
        }
        if (round == mine) {
            park(me, mine);
        }
        return token;
    }

    /** Lets every parked part look again: the round is over, or the launch has failed. */
    void wakeAll() {
        for (PartThread part : parts) {
            part.wakeIfParked();
        }
    }

    private void park(PartThread me, int mine) {
        me.turn().give();
        Deadline deadline = world.deadline();
        me.setParked(true);
        try {
            while (round == mine) {
                me.launch().checkRunning();
                world.checkAlive();
                // Once all have arrived, the last one watches the time of the wait for the other ranks.
                if (deadline.passed() && arrived.get() < parts.length && round == mine) {
                    throw new TimedOutException(missing(mine, deadline));
                }
                LockSupport.parkNanos(this, LONGEST_PARK_NS);
            }
        } finally {
            me.setParked(false);
        }
    }

    private String missing(int mine, Deadline deadline) {
        StringBuilder text = new StringBuilder("wait timed out: barrier=" + (mine + 1) + " of the launch, waited="
                + TimeUnit.NANOSECONDS.toMillis(deadline.elapsedNs()) + " ms, arrived=" + arrived.get() + ", parts="
                + parts.length + "; missing: ");
        int named = 0;
        for (PartThread part : parts) {
            if (part.barriers() <= mine) {
                text.append(named == 0 ? "" : ", ").append(part.situation());
                if (++named == 4) {
                    text.append(", ...");
                    break;
                }
            }
        }
        return text.append("; find out why they do not come, or raise --timeout").toString();
    }

    /** Notes that a part has ended well. */
    void end() {
        ended.incrementAndGet();
        if (arrived.get() > 0) {
            throw unequal(round);
        }
    }

    private void requireNobodyEnded(int mine) {
        if (ended.get() > 0) {
            throw unequal(mine);
        }
    }

    private static UsageException unequal(int passed) {
        return new UsageException("barrier that can never be passed: a part ended after " + passed
                + " barriers while others wait at barrier " + (passed + 1)
                + "; all parts of all programs call barrierAll equally often");
    }
}
