package dev.tandem.shmem.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AllocatorTest {

    private record Taken(long offset, long bytes) {
    }

    @Test
    void blocksNeverOverlapAndAllRoomComesBack() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Allocator allocator = new Allocator(4096, 4096 + 64 * 1000);
        List<Taken> taken = new ArrayList<>();
        for (int step = 0; step < 5000; step++) {
            if (random.nextInt(5) < 3) {
                long bytes = random.nextInt(64 * 40);
                OptionalLong offset = allocator.allocate(bytes);
                if (offset.isPresent()) {
                    Taken mine = new Taken(offset.getAsLong(), bytes);
                    assertThat(mine.offset % 64).as("seed %d", seed).isZero();
                    assertThat(taken).as("seed %d: %s", seed, mine)
                            .noneMatch(
                                    t -> t.offset < mine.offset + mine.bytes && mine.offset < t.offset + t.bytes);
                    taken.add(mine);
                } else {
                    assertThat(allocator.largestHoleBytes()).as("seed %d", seed).isLessThan(Math.max(64, bytes + 63));
                }
            } else if (!taken.isEmpty()) {
                allocator.free(taken.remove(random.nextInt(taken.size())).offset);
            }
        }
        taken.forEach(t -> allocator.free(t.offset));
        assertThat(allocator.freeBytes()).as("seed %d", seed).isEqualTo(64 * 1000);
        assertThat(allocator.largestHoleBytes()).as("seed %d: one hole", seed).isEqualTo(64 * 1000);
    }

    @Test
    void refusesToFreeWhatIsNotTaken() {
        Allocator allocator = new Allocator(0, 640);
        assertThatThrownBy(() -> allocator.free(64)).hasMessage("no block at offset 64");
    }
}
