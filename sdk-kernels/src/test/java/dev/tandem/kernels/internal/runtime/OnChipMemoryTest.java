package dev.tandem.kernels.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.UsageException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OnChipMemoryTest {

    private final OnChipMemory memory = new OnChipMemory(8 << 20);

    @AfterEach
    void close() {
        memory.close();
    }

    @Test
    void blocksAreAlignedAndApart() {
        MemorySegment a = memory.allocate(100);
        MemorySegment b = memory.allocate(1);
        assertThat(a.byteSize()).isEqualTo(100);
        assertThat(a.address() % OnChipMemory.ALIGNMENT).isZero();
        assertThat(b.address() % OnChipMemory.ALIGNMENT).isZero();
        assertThat(a.asOverlappingSlice(b)).isEmpty();
        assertThat(memory.usedBytes()).isEqualTo(192);
    }

    @Test
    void releaseGivesTheSameMemoryAgain() {
        memory.allocate(64);
        long mark = memory.mark();
        MemorySegment before = memory.allocate(128);
        memory.release(mark);
        assertThat(memory.allocate(128).address()).isEqualTo(before.address());
    }

    @Test
    void largeBlocksGetChunksOfTheirOwnAndKeepThem() {
        long mark = memory.mark();
        memory.allocate(100);
        MemorySegment large = memory.allocate(3 << 20);
        memory.release(mark);
        assertThat(memory.usedBytes()).isZero();
        memory.allocate(100);
        assertThat(memory.allocate(3 << 20).address()).isEqualTo(large.address());
    }

    @Test
    void fullMemorySaysHowMuchAndWhatToDo() {
        memory.allocate(1 << 20);
        assertThatThrownBy(() -> memory.allocate(8 << 20)).isInstanceOf(UsageException.class)
                .hasMessage(
                        "on-chip memory is full: wanted=8388608 bytes, in use=1048576, limit=8388608; use smaller tiles,"
                                + " or mark() and release() what is no longer needed");
    }

    @Test
    void whatCameAfterTheMarkIsReleasedAndNothingElse() {
        long before = memory.nextSerial();
        long mark = memory.mark();
        long inside = memory.nextSerial();
        memory.release(mark);
        long after = memory.nextSerial();
        assertThat(memory.released(before)).isFalse();
        assertThat(memory.released(inside)).isTrue();
        assertThat(memory.released(after)).isFalse();
        memory.release(mark);
        assertThat(memory.released(after)).isTrue();
        assertThat(memory.released(before)).isFalse();
    }

    @Test
    void marksThatAreGoneAreRefused() {
        long outer = memory.mark();
        long inner = memory.mark();
        memory.release(outer);
        assertThatThrownBy(() -> memory.release(inner)).isInstanceOf(UsageException.class)
                .hasMessageContaining("mark is not valid");
        assertThatThrownBy(() -> memory.release(-1)).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> memory.release(Long.MAX_VALUE)).isInstanceOf(UsageException.class);
    }

    @Test
    void aLoopOfMarksFindsNewTilesAliveHoweverLongItRuns() {
        long early = memory.nextSerial();
        for (int i = 0; i < 10_000; i++) {
            long kept = memory.nextSerial();
            long mark = memory.mark();
            long tile = memory.nextSerial();
            memory.allocate(64);
            memory.release(mark);
            assertThat(memory.released(tile)).isTrue();
            assertThat(memory.released(kept)).isFalse();
        }
        assertThat(memory.released(early)).isFalse();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void randomNestingAgreesWithAStackOfLists() {
        for (long seed = 0; seed < 200; seed++) {
            memory.reset();
            Random random = new Random(seed);
            record Frame(long mark, List<Long> made) {
            }
            Deque<Frame> frames = new ArrayDeque<>();
            frames.push(new Frame(memory.mark(), new ArrayList<>()));
            List<Long> dead = new ArrayList<>();
            for (int step = 0; step < 100; step++) {
                int choice = random.nextInt(4);
                if (choice == 0) {
                    frames.push(new Frame(memory.mark(), new ArrayList<>()));
                } else if (choice == 1 && frames.size() > 1) {
                    int levels = 1 + random.nextInt(frames.size() - 1);
                    long mark = 0;
                    for (int i = 0; i < levels; i++) {
                        Frame frame = frames.pop();
                        mark = frame.mark();
                        dead.addAll(frame.made());
                    }
                    memory.release(mark);
                } else {
                    memory.allocate(1 + random.nextInt(5000));
                    frames.peek().made().add(memory.nextSerial());
                }
            }
            String as = "seed=" + seed;
            assertThat(dead).as(as).allMatch(memory::released);
            for (Frame frame : frames) {
                assertThat(frame.made()).as(as).noneMatch(memory::released);
            }
        }
    }
}
