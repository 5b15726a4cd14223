package dev.tandem.core.internal.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The hub alone: what it is told, and what it says. */
class HubTest {

    private final AtomicInteger ended = new AtomicInteger();

    /** A hub and what it has said to each rank. */
    private record Rig(Hub hub, List<List<Message>> said) {

        Message last(int rank) {
            return said.get(rank).getLast();
        }

        String failure(int rank) {
            return last(rank) instanceof Message.Abort(Failure failure) ? failure.sentence() : "none: " + last(rank);
        }

        void enter(int rank, Operation operation, int root, long number, long length) {
            hub.receive(rank, new Message.Enter(new Call(number, operation, root, length)));
        }

        void barrier(int rank, long number) {
            enter(rank, Operation.BARRIER, -1, number, 0);
        }
    }

    private Rig rig(int size) {
        Rig rig = new Rig(new Hub(size, "job", ended::incrementAndGet), new ArrayList<>());
        for (int rank = 0; rank < size; rank++) {
            rig.said.add(new ArrayList<>());
            assertThat(rig.hub.join(rank, false, rig.said.getLast()::add)).isTrue();
        }
        return rig;
    }

    @Test
    void welcomesAllAtOnceWhenTheLastHasCome() {
        Hub hub = new Hub(2, "job", () -> {});
        List<Message> first = new ArrayList<>();
        hub.join(1, false, first::add);
        assertThat(first).isEmpty();
        assertThat(hub.complete()).isFalse();
        assertThat(hub.awaited()).isEqualTo("rank 0");
        hub.join(0, true, first::add);
        assertThat(first).containsExactly(
                new Message.Patience(), new Message.Patience(), new Message.Welcome("job"), new Message.Welcome("job"));
        assertThat(hub.patient()).isTrue();
    }

    @Test
    void startsACollectiveWhenAllAreInAndNotBefore() {
        Rig rig = rig(3);
        rig.enter(2, Operation.GATHER_BYTES, -1, 1, 20);
        rig.enter(0, Operation.GATHER_BYTES, -1, 1, 0);
        assertThat(rig.last(0)).isEqualTo(new Message.Welcome("job"));
        rig.enter(1, Operation.GATHER_BYTES, -1, 1, 10);
        for (int rank = 0; rank < 3; rank++) {
            assertThat(rig.last(rank)).isInstanceOfSatisfying(Message.Start.class, start -> {
                assertThat(start.number()).isEqualTo(1);
                assertThat(start.lengthsBytes()).containsExactly(0, 10, 20);
            });
        }
    }

    @Test
    void relaysInOrderAndCreditsWhenEveryoneHasTaken() {
        Rig rig = rig(3);
        IntStream.range(0, 3).forEach(rank -> rig.enter(rank, Operation.BROADCAST, 1, 1, rank == 1 ? 10 : 0));
        Message.Chunk chunk = new Message.Chunk(1, 1, 0, new byte[10]);
        rig.hub.receive(1, chunk);
        assertThat(rig.last(0)).isSameAs(chunk);
        assertThat(rig.last(2)).isSameAs(chunk);
        rig.hub.taken(0, chunk);
        assertThat(rig.last(1)).isInstanceOf(Message.Start.class);
        rig.hub.taken(2, chunk);
        assertThat(rig.last(1)).isEqualTo(new Message.Credit(1));
    }

    @Test
    void refusesDataBeyondTheWindowTheLengthOrTheOrder() {
        for (int mistake = 0; mistake < 6; mistake++) {
            Rig rig = rig(2);
            long length = 10L * Message.Chunk.MAX_BYTES;
            IntStream.range(0, 2).forEach(rank -> rig.enter(rank, Operation.GATHER_BLOCKS, -1, 1, length));
            switch (mistake) {
                case 0 -> {
                    for (int i = 0; i <= Message.Chunk.WINDOW; i++) {
                        rig.hub.receive(1, new Message.Chunk(1, 1, i * 4L, new byte[4]));
                    }
                }
                case 1 -> rig.hub.receive(1, new Message.Chunk(1, 1, 1, new byte[4]));
                case 2 -> rig.hub.receive(1, new Message.Chunk(2, 1, 0, new byte[4]));
                case 3 -> rig.hub.receive(1, new Message.Chunk(1, 0, 0, new byte[4]));
                case 4 -> rig.hub.receive(1, new Message.Chunk(1, 1, 0, new byte[0]));
                default -> rig.hub.receive(1, new Message.Chunk(1, 1, 0, new byte[Message.Chunk.MAX_BYTES + 1]));
            }
            assertThat(rig.failure(0)).as("mistake %d", mistake)
                    .isEqualTo(
                            "rank 1 is lost: it sends data that nobody has asked for; see what that rank has printed last");
        }
    }

    @Test
    void refusesCallsThatNoRankMakes() {
        List<Call> calls = List.of(
                new Call(2, Operation.BARRIER, -1, 0),
                new Call(0, Operation.BARRIER, -1, 0),
                new Call(1, Operation.BARRIER, 0, 0),
                new Call(1, Operation.BARRIER, -1, 8),
                new Call(1, Operation.BROADCAST, 2, 0),
                new Call(1, Operation.BROADCAST, 0, 8),
                new Call(1, Operation.GATHER_BYTES, -1, -1),
                new Call(1, Operation.GATHER_BYTES, -1, Call.MAX_VALUE_BYTES + 1),
                new Call(1, Operation.GATHER_BLOCKS, -1, Long.MAX_VALUE));
        for (Call call : calls) {
            Rig rig = rig(2);
            rig.hub.receive(1, new Message.Enter(call));
            assertThat(rig.failure(0)).as("%s", call).startsWith("rank 1 is lost: it calls ");
        }
    }

    @Test
    void namesBothSidesOfADisagreement() {
        Rig rig = rig(2);
        rig.barrier(0, 1);
        rig.enter(1, Operation.GATHER_TEXT, -1, 1, 4);
        assertThat(rig.failure(0))
                .isEqualTo("ranks disagree: rank 0 is in barrier #1, rank 1 in allGather of text #1; let"
                        + " every rank call the same collectives in the same order");
        assertThat(rig.failure(1)).isEqualTo(rig.failure(0));
        assertThat(ended).hasValue(1);
    }

    @Test
    void aLeaverFailsWhoWaitsAndWhoComesToWait() {
        Rig before = rig(2);
        before.barrier(0, 1);
        before.hub.receive(1, new Message.Leave());
        assertThat(before.failure(0)).isEqualTo(
                "rank 1 has finished, but rank 0 waits in barrier #1; let every rank call the same collectives");
        assertThat(before.failure(1)).isEqualTo(before.failure(0));
        Rig after = rig(2);
        after.hub.receive(1, new Message.Leave());
        assertThat(after.last(1)).isEqualTo(new Message.Left());
        after.barrier(0, 1);
        assertThat(after.failure(0)).isEqualTo(before.failure(0));
        assertThat(after.last(1)).isEqualTo(new Message.Left());
    }

    @Test
    void endsOnceWhenAllHaveLeftAndNothingFailsAfterwards() {
        Rig rig = rig(2);
        rig.hub.receive(0, new Message.Leave());
        rig.hub.lost(0, "gone");
        assertThat(ended).hasValue(0);
        rig.hub.receive(1, new Message.Leave());
        assertThat(ended).hasValue(1);
        assertThat(rig.hub.over()).isTrue();
        rig.hub.lost(1, "gone");
        rig.hub.fail(Failure.lost(1, "late"));
        assertThat(rig.hub.failure()).isNull();
        assertThat(ended).hasValue(1);
    }

    @Test
    void onlyTheFirstCauseCounts() {
        Rig rig = rig(3);
        rig.hub.receive(2, new Message.Abort(Failure.thrownBy(2, new IllegalStateException("first"))));
        rig.hub.lost(1, "second");
        for (int rank = 0; rank < 3; rank++) {
            assertThat(rig.failure(rank)).isEqualTo("rank 2 failed: java.lang.IllegalStateException: first");
        }
    }

    @Test
    void saysForWhomAnOverdueRankWaits() {
        Rig rig = rig(4);
        rig.barrier(1, 1);
        rig.barrier(3, 1);
        rig.hub.receive(3, new Message.Overdue(1, 60_000_000_000L));
        assertThat(rig.failure(1))
                .isEqualTo("ranks 1, 3 waited 60 s in barrier #1 for ranks 0, 2; see what these do, or give"
                        + " more time with --timeout");
        Rig sending = rig(2);
        IntStream.range(0, 2).forEach(rank -> sending.enter(rank, Operation.BROADCAST, 0, 1, rank == 0 ? 10 : 0));
        sending.hub.receive(1, new Message.Overdue(1, 1_500_000_000L));
        assertThat(sending.failure(1))
                .isEqualTo("rank 1 waited 1.5 s in broadcast(root 0) #1 for rank 0 to send its data; see"
                        + " what the ranks do, or give more time with --timeout");
        Rig taking = rig(3);
        IntStream.range(0, 3).forEach(rank -> taking.enter(rank, Operation.BROADCAST, 0, 1, rank == 0 ? 10 : 0));
        Message.Chunk chunk = new Message.Chunk(1, 0, 0, new byte[4]);
        taking.hub.receive(0, chunk);
        taking.hub.taken(1, chunk);
        taking.hub.receive(1, new Message.Overdue(1, 250_000_000L));
        assertThat(taking.failure(1))
                .isEqualTo("rank 1 waited 250 ms in broadcast(root 0) #1 for rank 2 to take its data;"
                        + " see what the ranks do, or give more time with --timeout");
    }

    @Test
    void namesAtMostSixteenRanks() {
        Hub hub = new Hub(20, "job", () -> {});
        assertThat(hub.awaited()).isEqualTo("ranks 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 and 4 more");
    }

    @Test
    void aMemberThatPlaysTheHubIsLost() {
        Rig rig = rig(2);
        rig.hub.receive(1, new Message.Welcome("x"));
        assertThat(rig.failure(0)).startsWith("rank 1 is lost: it says what only rank 0 may say");
    }
}
