package dev.tandem.core.device;

import dev.tandem.core.Check;
import dev.tandem.core.JobAbortedException;
import dev.tandem.core.PeerLostException;
import dev.tandem.core.SetupException;
import dev.tandem.core.TandemException;
import dev.tandem.core.TimedOutException;
import dev.tandem.core.UsageException;
import dev.tandem.core.world.Deadline;
import dev.tandem.core.world.World;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An ordered queue of work that a thread of its own does, one piece after the other, while the host goes on.
 *
 * <p>What a thread did before it enqueued a task is visible to the task; what a task did is visible to the tasks after it, to
 * those of a stream that waited for its event, and to a host thread that waited for either.
 *
 * <p>A task that throws brings the job down and ends the stream: later tasks are not run, and every wait for them or for the
 * stream throws that failure. Thread-safe.
 */
public final class Stream implements AutoCloseable {

    /** Work of a stream. It must poll {@link World#checkAlive()} where it waits. */
    @FunctionalInterface
    public interface Task {

        /**
         * Does the work, on the stream's thread.
         *
         * @throws Exception brings the job down, with this as the cause
         */
        void run() throws Exception;
    }

    private record Entry(Event event, Task task) {
    }

    /** How long closing waits, once the job has come down, for a task that should have noticed. */
    private static final long ABORT_GRACE_NS = TimeUnit.SECONDS.toNanos(1);

    private final Device device;
    private final World world;
    private final String name;
    private final Thread thread;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Entry> queue = new ArrayDeque<>();
    private Event running;
    private Event last;
    private long enqueued;
    private long ended;
    private volatile long advances;
    private TandemException failure;
    private boolean closed;
    private boolean stopped;
    private boolean abandoned;

    Stream(Device device, String name) {
        this.device = device;
        this.world = device.world();
        this.name = name;
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("rank " + world.rank() + " stream " + name)
                .unstarted(this::work);
        thread.start();
    }

    /**
     * Names the stream.
     *
     * @return the name it was created with
     */
    public String name() {
        return name;
    }

    /**
     * Gives the device that the stream is of.
     *
     * @return the device
     */
    public Device device() {
        return device;
    }

    /**
     * Puts work at the end of the queue and returns at once.
     *
     * @param what what the work is, for messages and traces
     * @param task the work
     * @return its event; work enqueued after a failure is not run, and its event throws that failure
     * @throws UsageException if the stream is closed
     */
    public Event enqueue(String what, Task task) {
        Check.notNull(what, "what");
        Check.notNull(task, "task");
        lock.lock();
        try {
            Check.that(!closed, "stream is closed: stream=" + name + ", rank=" + world.rank() + ", task=" + what
                    + "; enqueue before it is closed");
            Event event = new Event(this, what, ++enqueued);
            last = event;
            if (failure != null) {
                event.fail();
                ended++;
            } else {
                queue.add(new Entry(event, task));
                changed.signalAll();
            }
            return event;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Marks the end of what is enqueued so far.
     *
     * @return an event that is done when all work enqueued before is
     */
    public Event record() {
        return enqueue("record", () -> {
        });
    }

    /**
     * Makes all work that is enqueued from now on wait for work of another stream; the host does not wait. If that work
     * fails, so does this stream.
     *
     * @param event work of any stream of the same device
     * @return the event of the waiting, on this stream
     */
    public Event waitFor(Event event) {
        device.checkOwn(event);
        return enqueue("wait for " + event.what(), event.stream() == this ? () -> {
        } : event::await);
    }

    /**
     * Says that the running task gets on, so that whoever waits for it gives it the world's whole timeout again. For tasks
     * that may take longer than that without being stuck, such as kernels; only the task's thread calls it.
     *
     * @throws UsageException if another thread calls this
     */
    public void advance() {
        Check.that(Thread.currentThread() == thread,
                "not the thread of this stream: stream=" + name + ", rank=" + world.rank()
                        + "; let its task call this");
        advances = advances + 1;
    }

    /**
     * Waits until everything that was enqueued before this call is done. The wait is bounded by the world's timeout, which
     * starts afresh whenever work of this stream ends or {@linkplain #advance() advances}.
     *
     * @throws TandemException if a task has failed, with that as the cause; if the job came down; if the time was up; or if a task of this
     *     stream calls this, which would wait for ever
     */
    public void synchronize() {
        Event until;
        lock.lock();
        try {
            throwFailure();
            until = last;
        } finally {
            lock.unlock();
        }
        if (until != null) {
            await(until);
        }
    }

    /**
     * Does what is enqueued, for as long as the world's timeout allows, and ends the thread. When the job has come down or
     * the time is up, what has not begun is dropped and the running task interrupted. A task's failure is not thrown here: it
     * has brought the job down already. Closing again does nothing.
     *
     * @throws TimedOutException if the time was up
     * @throws JobAbortedException if the calling thread was interrupted
     * @throws UsageException if a task of this stream calls this
     */
    @Override
    public void close() {
        Check.that(Thread.currentThread() != thread,
                "stream closed by its own task: stream=" + name + ", task=" + running + "; close it from the host");
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
            TandemException late = null;
            try {
                awaitChange("close", () -> stopped || abandoned || world.aborted());
            } catch (TandemException e) {
                late = e;
            }
            if (!stopped && !abandoned) {
                abandoned = true;
                drop(late != null
                        ? late
                        : new JobAbortedException(
                                "stream " + name + " of rank " + world.rank()
                                        + " was closed after the job had come down"));
                thread.interrupt();
                awaitGrace();
            }
            if (late != null) {
                throw late;
            }
        } finally {
            lock.unlock();
            device.forget(this);
        }
    }

    /** The name, such as {@code stream compute of rank 0}. */
    @Override
    public String toString() {
        return "stream " + name + " of rank " + world.rank();
    }

    /** Lets all waiters look again; called when the job comes down. */
    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void await(Event event) {
        if (event.state() == Event.State.DONE) {
            return;
        }
        Check.that(Thread.currentThread() != thread || event.done(),
                "a task waits for its own stream: stream=" + name + ", event=" + event + "; wait from the host");
        lock.lock();
        try {
            awaitChange(event.toString(), () -> {
                if (event.state() != Event.State.DONE) {
                    throwFailure();
                    world.checkAlive();
                }
                return event.state() == Event.State.DONE;
            });
        } finally {
            lock.unlock();
        }
    }

    /** What a wait looks at, with the lock held. */
    private interface Holds {
        boolean holds();
    }

    private void awaitChange(String what, Holds condition) {
        Deadline deadline = world.deadline();
        long seen = ended + advances;
        while (!condition.holds()) {
            if (ended + advances != seen) {
                seen = ended + advances;
                deadline = world.deadline();
            }
            if (deadline.passed()) {
                throw new TimedOutException(late(what, deadline));
            }
            try {
                // The cap lets a world whose abort is told late, or not at all, still be noticed.
                long nanos = Math.min(deadline.remainingNs(), TimeUnit.MILLISECONDS.toNanos(500));
                changed.awaitNanos(nanos);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new JobAbortedException("interrupted while waiting: rank=" + world.rank() + ", stream=" + name
                        + ", for=" + what + "; the waiting thread was told to stop", e);
            }
        }
    }

    private String late(String what, Deadline deadline) {
        String doing = running == null
                ? "nothing running"
                : running + " running for "
                        + seconds(device.nowNs() - running.beganNs());
        return "rank " + world.rank() + " waited too long for stream " + name + ": for=" + what + ", waited="
                + seconds(deadline.elapsedNs()) + ", " + doing + ", queued=" + queue.size()
                + "; raise the timeout if the work is that long";
    }

    private static String seconds(long ns) {
        return ns / 100_000_000 / 10.0 + " s";
    }

    private void awaitGrace() {
        long nanos = ABORT_GRACE_NS;
        boolean interrupted = false;
        while (!stopped && nanos > 0) {
            try {
                nanos = changed.awaitNanos(nanos);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The stream's thread. */
    private void work() {
        for (Entry entry = next(); entry != null; entry = next()) {
            Throwable thrown = null;
            try {
                world.checkAlive();
                entry.task.run();
            } catch (Throwable e) {
                thrown = e;
            }
            if (thrown == null) {
                ended(entry.event);
            } else {
                failed(entry.event, thrown);
            }
        }
    }

    /** Waits for work; null when there will be none any more. */
    private Entry next() {
        lock.lock();
        try {
            while (queue.isEmpty() && !closed) {
                changed.awaitUninterruptibly();
            }
            Entry entry = queue.poll();
            if (entry == null) {
                stopped = true;
                changed.signalAll();
                return null;
            }
            running = entry.event;
            running.begin(device.nowNs());
            return entry;
        } finally {
            lock.unlock();
        }
    }

    private void ended(Event event) {
        long nowNs = device.nowNs();
        lock.lock();
        try {
            event.end(nowNs);
            running = null;
            ended++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void failed(Event event, Throwable thrown) {
        TandemException cause = located(event, thrown);
        lock.lock();
        try {
            if (failure == null) {
                failure = cause;
            }
        } finally {
            lock.unlock();
        }
        // Before the waiters wake: they find the job aborted by this cause, and throw this cause and no echo of it.
        world.abort(cause);
        lock.lock();
        try {
            event.fail();
            running = null;
            ended++;
            drop(cause);
        } finally {
            lock.unlock();
        }
    }

    /** Ends the stream: nothing that is queued or will be is run. */
    private void drop(TandemException cause) {
        if (failure == null) {
            failure = cause;
        }
        for (Entry entry : queue) {
            entry.event.fail();
            ended++;
        }
        queue.clear();
        changed.signalAll();
    }

    private void throwFailure() {
        if (failure != null) {
            throw again(failure);
        }
    }

    /** The failure with the place named, of the kind that it was. */
    private TandemException located(Event event, Throwable thrown) {
        String place = "rank " + world.rank() + ", stream " + name + ", task " + event.what() + ": ";
        return switch (thrown) {
            case JobAbortedException e -> e;
            case PeerLostException e -> e;
            case UsageException e -> new UsageException(place + e.getMessage(), e);
            case SetupException e -> new SetupException(place + e.getMessage(), e);
            case TimedOutException e -> new TimedOutException(place + e.getMessage(), e);
            default -> new JobAbortedException(place + thrown, thrown);
        };
    }

    /** The same failure with the stack of the thread that waits, so that both places can be read. */
    private static TandemException again(TandemException failure) {
        return switch (failure) {
            case UsageException e -> new UsageException(e.getMessage(), e);
            case SetupException e -> new SetupException(e.getMessage(), e);
            case TimedOutException e -> new TimedOutException(e.getMessage(), e);
            case PeerLostException e -> new PeerLostException(e.getMessage(), e);
            case JobAbortedException e -> new JobAbortedException(e.getMessage(), e);
        };
    }
}
