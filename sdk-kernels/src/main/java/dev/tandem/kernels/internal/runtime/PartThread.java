package dev.tandem.kernels.internal.runtime;

import dev.tandem.core.TandemException;
import dev.tandem.core.device.Device;
import dev.tandem.core.world.World;
import dev.tandem.kernels.matrix.MatrixEngine;
import dev.tandem.kernels.tile.Part;
import dev.tandem.shmem.Comparison;
import dev.tandem.shmem.SignalArray;
import dev.tandem.shmem.SymmetricHeap;
import dev.tandem.shmem.Token;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The thread of one (program, part), which runs that part of one launch after another. The kernel runs directly on it, so a
 * breakpoint in the kernel stops here, under a name that says where.
 */
final class PartThread implements PartWaits, Runnable {

    private final World world;
    private final SymmetricHeap heap;
    private final int program;
    private final Part part;
    private final ProcessorTurn turn;
    private final HostCore core;
    private final Thread thread;
    private final Supplier<Token> acrossRanks;
    private Placement placement;
    private volatile Launch<?> next;
    private volatile Launch<?> launch;
    private volatile boolean closed;
    private volatile boolean parked;
    private volatile SignalArray waitingFor;
    private volatile int barriers;
    private volatile long operations;

    /** Starts the thread. */
    PartThread(Device device, SymmetricHeap heap, MatrixEngine engine, long onChipBytes, int program, Part part) {
        this.world = device.world();
        this.heap = heap;
        this.program = program;
        this.part = part;
        this.turn = new ProcessorTurn(device.permits());
        this.core = new HostCore(engine, onChipBytes, this);
        this.acrossRanks = this::meetRanks;
        this.placement = new Placement("(none)", world.rank(), world.size(), program, program + 1, part);
        this.thread = Thread.ofPlatform().daemon().name(placement.threadName()).unstarted(this);
        this.thread.start();
    }

    /** Gives the thread its part of a launch; it is idle. */
    void start(Launch<?> toRun) {
        barriers = 0;
        launch = toRun;
        next = toRun;
        LockSupport.unpark(thread);
    }

    /** Ends the thread after what it runs. */
    void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    /** Waits for the thread to end, at most {@code timeoutMs}. Says whether it has. */
    boolean join(long timeoutMs) throws InterruptedException {
        thread.join(Math.max(1, timeoutMs));
        return !thread.isAlive();
    }

    @Override
    public void run() {
        try {
            while (true) {
                Launch<?> toRun = next;
                if (toRun != null) {
                    next = null;
                    runPart(toRun);
                } else if (closed) {
                    return;
                } else {
                    LockSupport.park(this);
                }
            }
        } finally {
            core.close();
        }
    }

    private void runPart(Launch<?> toRun) {
        int programs = toRun.grid().programs();
        if (!placement.kernel().equals(toRun.name()) || placement.programs() != programs) {
            placement = new Placement(toRun.name(), world.rank(), world.size(), program, programs, part);
            thread.setName(placement.threadName());
        }
        core.enter(placement);
        try {
            turn.take();
            toRun.run(core);
            toRun.barrier().end();
        } catch (Throwable cause) { // Whatever left the kernel must reach the launcher, errors too.
            TandemException failure = placement.failure(cause);
            if (toRun.fail(failure)) {
                world.abort(failure);
                toRun.barrier().wakeAll();
            }
        } finally {
            turn.give();
            launch = null; // Or an idle thread would keep the arguments.
            toRun.partEnded();
        }
    }

    // ---- Waiting

    @Override
    public void checkRunning() {
        if (Thread.currentThread() != thread) {
            throw placement.refusal("core used by another thread: thread=" + Thread.currentThread().getName()
                    + ", the core's=" + thread.getName() + "; a core stays with the part that was given it");
        }
        operations = operations + 1;
        Launch<?> mine = launch;
        if (mine == null) {
            throw placement.refusal("core used after its kernel has ended; use it inside the kernel");
        }
        mine.checkRunning();
    }

    @Override
    public Token signal(SignalArray signals, int rank, long slot, Comparison comparison, long value) {
        operations = operations + 1;
        waitingFor = signals;
        Token token;
        try {
            token = signals.waitUntil(rank, slot, comparison, value, turn);
        } finally {
            waitingFor = null;
        }
        turn.take(); // Not after a failure, which whoever holds the permit may be the cause of.
        return token;
    }

    @Override
    public Token barrierAll() {
        operations = operations + 1;
        Token token = launch.barrier().await(this, acrossRanks);
        turn.take();
        return token;
    }

    private Token meetRanks() {
        return heap.barrierAll(turn);
    }

    @Override
    public SymmetricHeap heap() {
        return heap;
    }

    // ---- What the barrier knows of a part

    ProcessorTurn turn() {
        return turn;
    }

    Launch<?> launch() {
        return launch;
    }

    void setParked(boolean value) {
        parked = value;
    }

    /** Wakes the thread if it is parked at the barrier. */
    void wakeIfParked() {
        if (parked) {
            LockSupport.unpark(thread);
        }
    }

    /** Counts what the part has done; a hint that it gets on. */
    long operations() {
        return operations;
    }

    int barriers() {
        return barriers;
    }

    void setBarriers(int value) {
        barriers = value;
    }

    /** Says what this part does now. */
    String situation() {
        SignalArray signals = waitingFor;
        return "program " + program + " " + part
                + (signals == null ? " (computes)" : " (waits for signal " + signals.name() + ")");
    }
}
