package dev.tandem.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.JobAbortedException;
import dev.tandem.core.UsageException;
import dev.tandem.core.launch.JobSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeviceTest {

    @Test
    void coresAndSlotsFollowSettingsAndMachine() {
        int processors = Runtime.getRuntime().availableProcessors();
        try (Device alone = new Device(TestWorld.alone(), JobSettings.defaults())) {
            assertThat(alone.permits().count()).isEqualTo(processors);
            assertThat(alone.cores()).isEqualTo(2 * processors);
        }
        try (Device crowded = new Device(new TestWorld(0, 10_000, 0), JobSettings.defaults())) {
            assertThat(crowded.permits().count()).isEqualTo(1);
            assertThat(crowded.cores()).isEqualTo(2);
        }
        try (Device asked = new Device(TestWorld.alone(), new JobSettings(0, 0, 20))) {
            assertThat(asked.cores()).isEqualTo(20);
        }
    }

    @Test
    void openStreamsHaveNamesOfTheirOwn() {
        try (Device device = new Device(TestWorld.alone(), JobSettings.defaults())) {
            Stream stream = device.createStream("a");
            assertThatThrownBy(() -> device.createStream("a")).isInstanceOf(UsageException.class)
                    .hasMessage("stream exists: name=a, rank=0; close the other one first or choose another name");
            stream.close();
            assertThat(device.createStream("a").name()).isEqualTo("a");
        }
    }

    @Test
    void neverMoreThreadsThanSlotsCompute() throws Exception {
        ProcessorPermits permits = new ProcessorPermits(TestWorld.alone(), 2);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 200; i++) {
                    permits.acquire();
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    Thread.yield();
                    inside.decrementAndGet();
                    permits.release();
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(most.get()).isBetween(1, 2);
        assertThat(permits.tryAcquire()).isTrue();
        assertThat(permits.tryAcquire()).isTrue();
        assertThat(permits.tryAcquire()).isFalse();
        assertThat(permits.contended()).isFalse();
    }

    @Test
    void slotsGoToWhoeverAskedFirst() throws Exception {
        ProcessorPermits permits = new ProcessorPermits(TestWorld.alone(), 1);
        permits.acquire();
        List<Integer> order = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 5; t++) {
            int number = t;
            Thread thread = Thread.ofPlatform().start(() -> {
                permits.acquire();
                order.add(number);
                permits.release();
            });
            threads.add(thread);
            while (thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        }
        assertThat(permits.contended()).isTrue();
        permits.release();
        assertThat(permits.tryAcquire() && permits.contended()).as("nobody jumps the queue").isFalse();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(order).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void anAbortEndsEveryWaitForASlot() throws Exception {
        TestWorld world = TestWorld.alone();
        ProcessorPermits permits = new ProcessorPermits(world, 1);
        permits.acquire();
        AtomicInteger failed = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 5; t++) {
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    permits.acquire();
                } catch (JobAbortedException e) {
                    failed.incrementAndGet();
                }
            }));
        }
        world.abort(new IllegalStateException("over"));
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failed).hasValue(5);
        assertThatThrownBy(permits::acquire).isInstanceOf(JobAbortedException.class);
        permits.release();
    }

    @Test
    void wrongCallsAreNamed() {
        assertThatThrownBy(() -> new ProcessorPermits(TestWorld.alone(), 0)).isInstanceOf(UsageException.class)
                .hasMessageContaining("permits=0");
        assertThatThrownBy(() -> new Device(null, JobSettings.defaults())).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> new Device(TestWorld.alone(), null)).isInstanceOf(UsageException.class);
    }
}
