package dev.tandem.kernels.testing;

import dev.tandem.core.world.Deadline;
import dev.tandem.core.world.ProcessGroup;
import dev.tandem.core.world.World;

/** A world whose rank shares the machine with so many others that it gets the given number of processors. */
record FewerProcessors(World world, int processors) implements World {

    @Override
    public int localSize() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / processors);
    }

    @Override
    public int rank() {
        return world.rank();
    }

    @Override
    public int size() {
        return world.size();
    }

    @Override
    public int localRank() {
        return 0;
    }

    @Override
    public String jobId() {
        return world.jobId();
    }

    @Override
    public ProcessGroup group() {
        return world.group();
    }

    @Override
    public Deadline deadline() {
        return world.deadline();
    }

    @Override
    public void checkAlive() {
        world.checkAlive();
    }

    @Override
    public boolean aborted() {
        return world.aborted();
    }

    @Override
    public void abort(Throwable cause) {
        world.abort(cause);
    }

    @Override
    public void onAbort(Runnable action) {
        world.onAbort(action);
    }
}
