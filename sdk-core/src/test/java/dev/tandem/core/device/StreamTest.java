package dev.tandem.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tandem.core.JobAbortedException;
import dev.tandem.core.TandemException;
import dev.tandem.core.TimedOutException;
import dev.tandem.core.UsageException;
import dev.tandem.core.launch.JobSettings;
import dev.tandem.core.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StreamTest {

    private final TestWorld world = new TestWorld(3, 4, TimeUnit.SECONDS.toNanos(60));
    private final Device device = new Device(world, JobSettings.defaults());
    private final Stream stream = device.createStream("compute");
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void closes() {
        gate.countDown();
        device.close();
    }

    /** A task that runs until the test opens the gate. */
    private void hold() throws InterruptedException {
        if (!gate.await(100, TimeUnit.SECONDS)) {
            throw new AssertionError("the gate was never opened");
        }
    }

    private static Stream.Task polls(World world, CountDownLatch begun) {
        return () -> {
            begun.countDown();
            while (true) {
                world.checkAlive();
                Thread.onSpinWait();
            }
        };
    }

    private static void begun(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void runsInOrderOnItsOwnNamedThreadWhileTheHostGoesOn() {
        List<Integer> order = new ArrayList<>();
        AtomicReference<Thread> thread = new AtomicReference<>();
        Event held = stream.enqueue("hold", this::hold);
        for (int i = 0; i < 1000; i++) {
            int number = i;
            stream.enqueue("add", () -> {
                thread.set(Thread.currentThread());
                order.add(number);
            });
        }
        Event last = stream.record();
        assertThat(held.done()).isFalse();
        assertThat(last.done()).isFalse();
        assertThat(order).isEmpty();
        gate.countDown();
        stream.synchronize();
        assertThat(last.done()).isTrue();
        assertThat(order).hasSize(1000).isSorted();
        assertThat(thread.get().getName()).isEqualTo("rank 3 stream compute");
        assertThat(thread.get().isDaemon()).isTrue();
        assertThat(held).hasToString("'hold' (1 of stream compute, done)");
        assertThat(stream).hasToString("stream compute of rank 3");
    }

    @Test
    void synchronizeOfAnEmptyStreamReturns() {
        stream.synchronize();
        device.synchronize();
    }

    @Test
    void eventsAreTimed() {
        long before = device.nowNs();
        Event first = stream.enqueue("first", () -> {
            for (long until = System.nanoTime() + 2_000_000; System.nanoTime() < until;) {
                Thread.onSpinWait();
            }
        });
        Event second = stream.record();
        second.await();
        assertThat(first.startNs()).isGreaterThanOrEqualTo(before);
        assertThat(first.endNs() - first.startNs()).isGreaterThanOrEqualTo(2_000_000);
        assertThat(second.startNs()).isGreaterThanOrEqualTo(first.endNs());
        assertThat(second.elapsedNs(first)).isEqualTo(second.endNs() - first.endNs()).isNotNegative();
        Event held = stream.enqueue("hold", this::hold);
        assertThatThrownBy(held::startNs).isInstanceOf(UsageException.class).hasMessageContaining("await it first");
        assertThatThrownBy(held::endNs).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> held.elapsedNs(first)).isInstanceOf(UsageException.class);
    }

    @Test
    void oneStreamWaitsForAnother() {
        Stream copy = device.createStream("copy");
        AtomicBoolean staged = new AtomicBoolean();
        AtomicBoolean seen = new AtomicBoolean();
        Event ready = copy.enqueue("stage", () -> {
            hold();
            staged.set(true);
        });
        stream.waitFor(ready);
        Event after = stream.enqueue("use", () -> seen.set(staged.get()));
        assertThat(after.done()).isFalse();
        gate.countDown();
        after.await();
        assertThat(seen).isTrue();
        stream.waitFor(after);
        stream.synchronize();
    }

    @Test
    void aFailedTaskEndsTheStreamAndTheJob() {
        ArithmeticException thrown = new ArithmeticException("by zero");
        Event before = stream.record();
        Event held = stream.enqueue("hold", this::hold);
        Event failing = stream.enqueue("divide", () -> {
            throw thrown;
        });
        AtomicBoolean ran = new AtomicBoolean();
        Event later = stream.enqueue("later", () -> ran.set(true));
        gate.countDown();
        String message = "rank 3, stream compute, task divide: java.lang.ArithmeticException: by zero";
        assertThatThrownBy(stream::synchronize).isInstanceOf(JobAbortedException.class)
                .hasMessage(message)
                .hasRootCause(thrown);
        assertThatThrownBy(failing::await).hasMessage(message);
        assertThatThrownBy(later::await).hasMessage(message);
        assertThatThrownBy(stream::synchronize).hasMessage(message);
        assertThatThrownBy(device::synchronize).hasMessage(message);
        before.await();
        held.await();
        Event afterwards = stream.enqueue("afterwards", () -> ran.set(true));
        assertThat(afterwards.done()).isTrue();
        assertThatThrownBy(afterwards::await).hasMessage(message);
        assertThatThrownBy(afterwards::endNs).isInstanceOf(UsageException.class);
        assertThat(ran).isFalse();
        assertThat(world.cause()).hasMessage(message);
    }

    @Test
    void aFailureKeepsItsKindAndReachesTheStreamThatWaits() {
        Stream copy = device.createStream("copy");
        stream.waitFor(copy.enqueue("stage", () -> {
            throw new UsageException("shapes differ");
        }));
        String first = "rank 3, stream copy, task stage: shapes differ";
        assertThatThrownBy(copy::synchronize).isInstanceOf(UsageException.class).hasMessage(first);
        assertThatThrownBy(stream::synchronize).isInstanceOf(TandemException.class).hasMessageContaining(first);
        assertThat(world.cause()).hasMessage(first);
    }

    @Test
    void anErrorIsAFailureToo() {
        stream.enqueue("grow", () -> {
            throw new OutOfMemoryError("pretended");
        });
        assertThatThrownBy(stream::synchronize)
                .hasMessageContaining("task grow: java.lang.OutOfMemoryError: pretended");
    }

    @Test
    void anAbortElsewhereFailsTheWaitAtOnce() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        stream.enqueue("poll", polls(world, begun));
        AtomicBoolean ran = new AtomicBoolean();
        stream.enqueue("later", () -> ran.set(true));
        begun(begun);
        Thread killer = Thread.ofPlatform().start(() -> world.abort(new IllegalStateException("rank 1 failed")));
        assertThatThrownBy(stream::synchronize).isInstanceOf(JobAbortedException.class)
                .hasMessageContaining("rank 1 failed");
        killer.join();
        assertThatThrownBy(stream::synchronize).hasMessageContaining("rank 1 failed");
        device.close();
        assertThat(ran).isFalse();
    }

    @Test
    void nothingRunsAfterAnAbort() {
        world.abort(new IllegalStateException("rank 1 failed"));
        AtomicBoolean ran = new AtomicBoolean();
        Event event = stream.enqueue("late", () -> ran.set(true));
        assertThatThrownBy(event::await).hasMessageContaining("rank 1 failed");
        device.close();
        assertThat(ran).isFalse();
    }

    @Test
    void aWaitThatIsTooLongSaysForWhat() throws Exception {
        TestWorld hasty = new TestWorld(0, 1, TimeUnit.MILLISECONDS.toNanos(50));
        Device other = new Device(hasty, JobSettings.defaults());
        Stream slow = other.createStream("slow");
        CountDownLatch begun = new CountDownLatch(1);
        slow.enqueue("poll", polls(hasty, begun));
        Event later = slow.record();
        begun(begun);
        assertThatThrownBy(later::await).isInstanceOf(TimedOutException.class)
                .hasMessageMatching(
                        "rank 0 waited too long for stream slow: for='record' \\(2 of stream slow, queued\\),"
                                + " waited=[0-9.]+ s, 'poll' \\(1 of stream slow, running\\) running for [0-9.]+ s, queued=1;"
                                + " raise the timeout if the work is that long");
        assertThatThrownBy(slow::synchronize).isInstanceOf(TimedOutException.class);
        Throwable late = catchThrowable(other::close);
        assertThat(late).isInstanceOf(TimedOutException.class).hasMessageContaining("for=close");
        assertThatThrownBy(later::await).isInstanceOf(TimedOutException.class).hasMessageContaining("for=close");
        hasty.abort(new IllegalStateException("the test is over"));
        other.close();
        slow.close();
    }

    @Test
    void workThatGoesOnKeepsAWaitAlive() {
        TestWorld hasty = new TestWorld(0, 1, TimeUnit.SECONDS.toNanos(3));
        try (Device other = new Device(hasty, JobSettings.defaults())) {
            Stream busy = other.createStream("busy");
            // 70 pieces of 50 ms: together longer than the timeout, none of them alone.
            for (int i = 0; i < 70; i++) {
                busy.enqueue("piece", () -> {
                    for (long until = System.nanoTime() + 50_000_000; System.nanoTime() < until;) {
                        Thread.yield();
                    }
                });
            }
            busy.synchronize();
        }
    }

    @Test
    void closeRunsWhatIsEnqueuedAndIsIdempotent() {
        AtomicBoolean ran = new AtomicBoolean();
        Event event = stream.enqueue("work", () -> ran.set(true));
        stream.close();
        assertThat(ran).isTrue();
        assertThat(event.done()).isTrue();
        event.await();
        stream.synchronize();
        stream.close();
        assertThatThrownBy(() -> stream.enqueue("late", () -> {
        })).isInstanceOf(UsageException.class)
                .hasMessageContaining("stream is closed: stream=compute, rank=3, task=late");
        device.createStream("compute");
        device.close();
        device.close();
        assertThatThrownBy(() -> device.createStream("late")).isInstanceOf(UsageException.class)
                .hasMessageContaining("device of rank 3 is closed");
    }

    @Test
    void waitsThatWouldNeverEndAreRefused() {
        stream.enqueue("self", stream::synchronize);
        assertThatThrownBy(stream::synchronize).isInstanceOf(UsageException.class)
                .hasMessageContaining("a task waits for its own stream: stream=compute");
        TestWorld second = TestWorld.alone();
        try (Device other = new Device(second, JobSettings.defaults())) {
            Stream own = other.createStream("own");
            own.enqueue("close", own::close);
            assertThatThrownBy(own::synchronize).isInstanceOf(UsageException.class)
                    .hasMessageContaining("stream closed by its own task: stream=own");
        }
    }

    @Test
    void eventsOfAnotherDeviceAreRefused() {
        try (Device other = new Device(TestWorld.alone(), JobSettings.defaults())) {
            Event foreign = other.createStream("foreign").record();
            assertThatThrownBy(() -> stream.waitFor(foreign)).isInstanceOf(UsageException.class)
                    .hasMessageContaining("event of another device");
        }
    }

    @Test
    void anInterruptedWaitEnds() {
        stream.enqueue("hold", this::hold);
        Thread.currentThread().interrupt();
        assertThatThrownBy(stream::synchronize).isInstanceOf(JobAbortedException.class)
                .hasMessageContaining("interrupted while waiting: rank=3, stream=compute");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aTaskThatSaysItGetsOnMayTakeLongerThanTheTimeout() {
        long timeoutNs = TimeUnit.SECONDS.toNanos(2);
        try (Device impatient = new Device(new TestWorld(0, 1, timeoutNs), JobSettings.defaults())) {
            Stream slow = impatient.createStream("slow");
            long startNs = System.nanoTime();
            Event event = slow.enqueue("long", () -> {
                while (System.nanoTime() - startNs < 2 * timeoutNs) {
                    slow.advance();
                    LockSupport.parkNanos(10_000_000);
                }
            });
            event.await();
            assertThat(event.endNs() - event.startNs()).isGreaterThan(timeoutNs);
        }
    }

    @Test
    void onlyTheStreamsOwnTaskSaysThatItGetsOn() {
        assertThatThrownBy(stream::advance).isInstanceOf(UsageException.class)
                .hasMessageContaining("not the thread of this stream: stream=compute, rank=3");
    }
}
