package dev.tandem.shmem;

import dev.tandem.core.TimedOutException;
import dev.tandem.core.world.Deadline;
import dev.tandem.core.world.Idle;
import dev.tandem.core.world.World;
import dev.tandem.shmem.internal.HeapLayout;
import dev.tandem.shmem.transport.Transport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * One sequence of barriers among all ranks: a central counter that only grows, on rank 0, and each rank's own epoch, which
 * says in a message who is missing. One thread of a rank at a time.
 */
final class RankBarrier {

    private final World world;
    private final Transport transport;
    private final long arrivalsOffset;
    private final long epochOffset;
    private long epoch;

    RankBarrier(World world, Transport transport, long offset) {
        this.world = world;
        this.transport = transport;
        this.arrivalsOffset = offset;
        this.epochOffset = offset + HeapLayout.LINE_BYTES;
    }

    Token await(Idle idle) {
        MemorySegment counter = transport.segment(0);
        long mine = ++epoch;
        HeapLayout.WORD.setRelease(transport.segment(world.rank()), epochOffset, mine);
        long wanted = mine * world.size();
        long arrived = 1 + (long) HeapLayout.WORD.getAndAdd(counter, arrivalsOffset, 1L);
        Deadline deadline = null;
        for (int turn = 0; arrived < wanted; turn++) {
            world.checkAlive();
            if (deadline == null) {
                deadline = world.deadline();
            } else if (deadline.passed()) {
                throw new TimedOutException("barrier timed out: rank=" + world.rank() + ", barrier #" + mine
                        + ", ranks missing=" + missing(mine) + "; look at what they do instead");
            }
            idle.idle(turn);
            arrived = (long) HeapLayout.WORD.getAcquire(counter, arrivalsOffset);
        }
        return Token.PASSED;
    }

    private List<Integer> missing(long wanted) {
        List<Integer> ranks = new ArrayList<>();
        for (int rank = 0; rank < world.size(); rank++) {
            if ((long) HeapLayout.WORD.getAcquire(transport.segment(rank), epochOffset) < wanted) {
                ranks.add(rank);
            }
        }
        return ranks;
    }
}
