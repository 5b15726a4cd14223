package dev.tandem.core.internal.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.JobAbortedException;
import dev.tandem.core.PeerLostException;
import dev.tandem.core.TimedOutException;
import dev.tandem.core.UsageException;
import dev.tandem.core.internal.world.Worlds.Mode;
import dev.tandem.core.internal.world.Worlds.Outcome;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a world promises, the same in both modes. */
@Tag("dist")
class WorldBehaviourTest {

    static Stream<Arguments> modesAndSizes() {
        return Stream.of(Mode.values()).flatMap(mode -> Stream.of(1, 2, 3, 4, 8).map(size -> Arguments.of(mode, size)));
    }

    @AfterEach
    void noThreadOfAWorldIsLeft() throws InterruptedException {
        List<Thread> left = Thread.getAllStackTraces()
                .keySet()
                .stream()
                .filter(thread -> thread.getName().startsWith("tandem-world"))
                .toList();
        for (Thread thread : left) {
            thread.join(5_000);
        }
        assertThat(left).noneMatch(Thread::isAlive);
    }

    @ParameterizedTest
    @MethodSource("modesAndSizes")
    void ranksKnowThemselvesAndShareAnId(Mode mode, int size) throws Exception {
        List<String> seen = Worlds.values(Worlds.run(mode, size, 20_000, world -> {
            assertThat(world.size()).isEqualTo(size);
            assertThat(world.localSize()).isEqualTo(size);
            assertThat(world.group().size()).isEqualTo(size);
            assertThat(world.localRank()).isEqualTo(world.rank());
            assertThat(world.group().rank()).isEqualTo(world.rank());
            world.checkAlive();
            assertThat(world.aborted()).isFalse();
            return world.rank() + " " + world.jobId();
        }));
        String id = seen.getFirst().substring(2);
        assertThat(id).matches("[a-z0-9-]{6,64}");
        assertThat(seen).isEqualTo(IntStream.range(0, size).mapToObj(rank -> rank + " " + id).toList());
    }

    @ParameterizedTest
    @MethodSource("modesAndSizes")
    void allCollectivesGiveEveryRankTheSame(Mode mode, int size) throws Exception {
        List<String> want = IntStream.range(0, size).mapToObj(rank -> "grüße 你好 ".repeat(rank) + rank).toList();
        Worlds.values(Worlds.run(mode, size, 20_000, world -> {
            for (int round = 0; round < 5; round++) {
                world.group().barrier();
                assertThat(world.group().allGather(want.get(world.rank()))).isEqualTo(want);
                List<byte[]> bytes = world.group().allGather(new byte[world.rank() * 3]);
                assertThat(bytes).extracting(value -> value.length / 3)
                        .isEqualTo(IntStream.range(0, size).boxed().toList());
                int root = round % size;
                byte[] mine = world.rank() == root ? new byte[]{(byte) round, 42} : null;
                assertThat(world.group().broadcast(mine, root)).containsExactly(round, 42);
            }
            return null;
        }));
    }

    @ParameterizedTest
    @MethodSource("modesAndSizes")
    void largeBlocksArriveWholeFromConfinedMemory(Mode mode, int size) throws Exception {
        // no multiple of a chunk, more chunks than the window
        long length = 9L * Message.Chunk.MAX_BYTES + 12_345;
        Worlds.values(Worlds.run(mode, size, 30_000, world -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment all = arena.allocate(length * size);
                MemorySegment mine = arena.allocate(length);
                for (int round = 0; round < 2; round++) {
                    for (long i = 0; i < length; i++) {
                        mine.set(ValueLayout.JAVA_BYTE, i, value(world.rank(), i + round));
                    }
                    all.fill((byte) 0x55);
                    world.group().allGather(mine, all);
                    for (int rank = 0; rank < size; rank++) {
                        for (long i = 0; i < length; i++) {
                            byte got = all.get(ValueLayout.JAVA_BYTE, rank * length + i);
                            if (got != value(rank, i + round)) {
                                throw new AssertionError("rank " + rank + " byte " + i + ": " + got);
                            }
                        }
                    }
                }
            }
            return null;
        }));
    }

    private static byte value(int rank, long index) {
        return (byte) (index * 31 + (index >>> 8) * 7 + rank * 101);
    }

    @ParameterizedTest
    @MethodSource("modesAndSizes")
    void ranksMayLeaveInAnyOrder(Mode mode, int size) throws Exception {
        CountDownLatch firstIsOff = new CountDownLatch(1);
        Worlds.values(Worlds.run(mode, size, 20_000, world -> {
            world.group().barrier();
            if (world.rank() == size - 1) {
                world.leave();
                world.leave();
                world.close();
                firstIsOff.countDown();
            } else {
                assertThat(firstIsOff.await(20, TimeUnit.SECONDS)).isTrue();
            }
            return null;
        }));
    }

    @ParameterizedTest
    @EnumSource
    void disagreementsFailAllAndSayWhoCallsWhat(Mode mode) throws Exception {
        List<Outcome<Object>> outcomes = Worlds.run(mode, 3, 20_000, world -> {
            world.group().barrier();
            if (world.rank() == 1) {
                world.group().broadcast(null, 0);
            } else {
                world.group().barrier();
            }
            return null;
        });
        assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.failure())
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("rank 1")
                .hasMessageContaining("in broadcast(root 0) #2")
                .hasMessageContaining("in barrier #2")
                .hasMessageContaining("let every rank call the same collectives in the same order"));
    }

    @ParameterizedTest
    @EnumSource
    void differentSizesAndRootsFailAll(Mode mode) throws Exception {
        List<Outcome<Object>> sizes = Worlds.run(mode, 2, 20_000, world -> {
            int length = 8 + 4 * world.rank();
            world.group()
                    .allGather(MemorySegment.ofArray(new byte[length]), MemorySegment.ofArray(new byte[2 * length]));
            return null;
        });
        assertThat(sizes).allSatisfy(outcome -> assertThat(outcome.failure())
                .isInstanceOf(UsageException.class)
                .hasMessage(
                        "ranks disagree: rank 0 is in allGather of blocks #1 with 8 bytes, rank 1 in allGather of blocks"
                                + " #1 with 12 bytes; let every rank call the same collectives in the same order"));
        List<Outcome<Object>> roots = Worlds.run(mode, 2, 20_000, world -> {
            world.group().broadcast(new byte[1], world.rank());
            return null;
        });
        assertThat(roots).allSatisfy(outcome -> assertThat(outcome.failure())
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(
                        "ranks disagree: rank 0 is in broadcast(root 0) #1, rank 1 in broadcast(root 1) #1"));
    }

    @ParameterizedTest
    @EnumSource
    void aRankThatThrowsBringsAllDownWithItsWords(Mode mode) throws Exception {
        List<Outcome<Object>> outcomes = Worlds.run(mode, 4, 20_000, world -> {
            world.group().barrier();
            if (world.rank() == 2) {
                throw new IllegalStateException("the flux capacitor is empty");
            }
            if (world.rank() == 1) {
                while (true) {
                    world.checkAlive();
                    Thread.onSpinWait();
                }
            }
            world.group().barrier();
            return null;
        });
        for (int rank : new int[]{0, 1, 3}) {
            assertThat(outcomes.get(rank).failure())
                    .isInstanceOf(JobAbortedException.class)
                    .hasMessage("rank 2 failed: java.lang.IllegalStateException: the flux capacitor is empty");
            assertThat(outcomes.get(rank).endedNs() - outcomes.get(2).endedNs())
                    .isLessThan(1_000_000_000L);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRankThatFinishesEarlyFailsThoseWhoWait(Mode mode) throws Exception {
        List<Outcome<Object>> outcomes = Worlds.run(mode, 2, 20_000, world -> {
            if (world.rank() == 0) {
                world.group().barrier();
            }
            return null;
        });
        assertThat(outcomes.get(0).failure())
                .isInstanceOf(PeerLostException.class)
                .hasMessage(
                        "rank 1 has finished, but rank 0 waits in barrier #1; let every rank call the same collectives");
    }

    @ParameterizedTest
    @EnumSource
    void whatIsWrongBeforeACallIsSaidAtOnceAndCostsNothing(Mode mode) throws Exception {
        Worlds.values(Worlds.run(mode, 2, 20_000, world -> {
            assertThatThrownBy(() -> world.group().broadcast(new byte[1], 2))
                    .isInstanceOf(UsageException.class)
                    .hasMessage("out of range: root=2, size=2; pass 0 to 1");
            assertThatThrownBy(() -> world.group()
                    .allGather(
                            MemorySegment.ofArray(new byte[4]), MemorySegment.ofArray(new byte[4])))
                    .isInstanceOf(UsageException.class)
                    .hasMessage("wrong length: all=4 bytes, mine=4 bytes, size=2; pass size() * mine.byteSize() bytes");
            assertThatThrownBy(() -> world.group().allGather((byte[]) null)).isInstanceOf(UsageException.class);
            assertThatThrownBy(() -> world.group().allGather(new byte[(int) Call.MAX_VALUE_BYTES + 1]))
                    .isInstanceOf(UsageException.class)
                    .hasMessage(
                            "value too long: length=67108865 bytes, limit=67108864; gather larger data as memory segments");
            world.group().barrier();
            world.leave();
            assertThatThrownBy(() -> world.group().barrier())
                    .isInstanceOf(UsageException.class)
                    .hasMessage("world left: rank=" + world.rank() + ", call=barrier; call collectives before leave()");
            return null;
        }));
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptedRankBringsAllDown(Mode mode) throws Exception {
        List<Outcome<Object>> outcomes = Worlds.run(mode, 2, 20_000, world -> {
            if (world.rank() == 0) {
                while (true) {
                    world.checkAlive();
                    Thread.onSpinWait();
                }
            }
            Thread.currentThread().interrupt();
            try {
                world.group().barrier();
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
            return null;
        });
        assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.failure())
                .isInstanceOf(JobAbortedException.class)
                .hasMessage("rank 1 failed: its thread was interrupted in barrier #1; let the rank's threads finish"));
    }

    @ParameterizedTest
    @EnumSource
    void aRankThatDoesNotComeIsNamed(Mode mode) throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        List<Outcome<Object>> outcomes = Worlds.run(mode, 3, 300, world -> {
            if (world.rank() == 1) {
                over.await(20, TimeUnit.SECONDS);
                while (true) {
                    world.checkAlive();
                    Thread.onSpinWait();
                }
            }
            try {
                world.group().barrier();
            } finally {
                over.countDown();
            }
            return null;
        });
        for (int rank : new int[]{0, 2}) {
            assertThat(outcomes.get(rank).failure())
                    .isInstanceOf(TimedOutException.class)
                    .message()
                    .matches(
                            "ranks 0, 2 waited 3\\d\\d ms in barrier #1 for rank 1; see what these do, or give more time"
                                    + " with --timeout");
        }
        assertThat(outcomes.get(1).failure()).isInstanceOf(JobAbortedException.class)
                .hasMessageContaining("for rank 1");
    }

    @ParameterizedTest
    @EnumSource
    void withoutATimeoutAnywhereDeadlinesStandStillEverywhere(Mode mode) throws Exception {
        if (mode == Mode.INPROC) {
            assertThat(LiveWorld.inProcess(2, Worlds.settings(0))).allSatisfy(
                    world -> assertThat(world.deadline().remainingNs()).isEqualTo(Long.MAX_VALUE));
            return;
        }
        int port = Worlds.freePort();
        Worlds.values(Worlds.together(2, rank -> () -> {
            try (LiveWorld world = Rendezvous.join(
                    Worlds.environment(rank, 2, port), Worlds.settings(300), Worlds.SECRET, rank == 1)) {
                assertThat(world.deadline().remainingNs()).isEqualTo(Long.MAX_VALUE);
                if (rank == 1) {
                    // longer than the timeout of rank 0, as at a breakpoint
                    assertThat(new CountDownLatch(1).await(700, TimeUnit.MILLISECONDS)).isFalse();
                }
                world.group().barrier();
                world.leave();
            }
            return null;
        }));
    }

    @ParameterizedTest
    @EnumSource
    void abortActionsRunOnceAndLateOnesAtOnce(Mode mode) throws Exception {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch ran = new CountDownLatch(2);
        CountDownLatch lastResort = new CountDownLatch(1);
        List<Outcome<Object>> outcomes = Worlds.run(mode, 2, 20_000, world -> {
            world.onAbort(() -> {
                runs.incrementAndGet();
                ran.countDown();
            });
            if (world.rank() == 0) {
                world.afterAbort(10_000_000L, lastResort::countDown);
            }
            world.group().barrier();
            if (world.rank() == 1) {
                world.abort(new IllegalStateException("first"));
                world.abort(new IllegalStateException("second"));
            }
            assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(lastResort.await(20, TimeUnit.SECONDS)).isTrue();
            List<String> late = new ArrayList<>();
            world.onAbort(() -> late.add("late"));
            assertThat(late).containsExactly("late");
            assertThat(world.aborted()).isTrue();
            assertThatThrownBy(world::checkAlive).hasMessageEndingWith("first");
            assertThatThrownBy(() -> world.group().barrier()).hasMessageEndingWith("first");
            return null;
        });
        assertThat(runs).hasValue(2);
        assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.failure()).hasMessageEndingWith("first"));
    }
}
