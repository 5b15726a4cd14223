package dev.tandem.core.device;

import dev.tandem.core.JobAbortedException;
import dev.tandem.core.world.Deadline;
import dev.tandem.core.world.ProcessGroup;
import dev.tandem.core.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A world of one rank without a network, whose end and timeout a test decides. */
final class TestWorld implements World {

    private final int rank;
    private final int size;
    private final long timeoutNs;
    private final List<Runnable> actions = new ArrayList<>();
    private volatile Throwable cause;

    TestWorld(int rank, int size, long timeoutNs) {
        this.rank = rank;
        this.size = size;
        this.timeoutNs = timeoutNs;
    }

    /** One rank of one, with a timeout that no healthy test reaches. */
    static TestWorld alone() {
        return new TestWorld(0, 1, TimeUnit.SECONDS.toNanos(60));
    }

    /** What brought the job down, or null. */
    Throwable cause() {
        return cause;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int localRank() {
        return rank;
    }

    @Override
    public int localSize() {
        return size;
    }

    @Override
    public String jobId() {
        return "test";
    }

    @Override
    public ProcessGroup group() {
        throw new UnsupportedOperationException("a test world has no group");
    }

    @Override
    public Deadline deadline() {
        return Deadline.in(timeoutNs);
    }

    @Override
    public void checkAlive() {
        if (cause != null) {
            throw new JobAbortedException("job aborted: " + cause.getMessage(), cause);
        }
    }

    @Override
    public boolean aborted() {
        return cause != null;
    }

    @Override
    public void abort(Throwable why) {
        List<Runnable> run;
        synchronized (actions) {
            if (cause != null) {
                return;
            }
            cause = why;
            run = List.copyOf(actions);
        }
        Thread.ofPlatform().daemon().name("test world").start(() -> run.forEach(Runnable::run));
    }

    @Override
    public void onAbort(Runnable action) {
        synchronized (actions) {
            if (cause == null) {
                actions.add(action);
                return;
            }
        }
        action.run();
    }
}
