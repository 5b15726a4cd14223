package dev.tandem.core.internal.world;

import dev.tandem.core.Check;
import dev.tandem.core.JobAbortedException;
import dev.tandem.core.world.Deadline;
import dev.tandem.core.world.ProcessGroup;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * A member's end of the star: the collectives, run by the calling thread, which alone touches the caller's memory.
 *
 * <p>What the hub says arrives in {@link #receive} on other threads and only changes the state under {@link #lock}; no
 * call to the link is made under that lock, since in memory the hub holds its own lock while it calls here.
 */
final class StarGroup implements ProcessGroup {

    /** How long a wait that has passed its deadline waits for the hub to say for whom. */
    private static final long VERDICT_NS = 2_000_000_000L;
    /** How many chunks may wait to be read before the connection stops reading. */
    private static final int INBOX_CHUNKS = 16;

    private final LiveWorld world;
    /** Held for a whole collective. */
    private final ReentrantLock calling = new ReentrantLock();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // under the lock
    private final ArrayDeque<Message.Chunk> inbox = new ArrayDeque<>();
    private Message.Start start;
    private Message.Welcome welcome;
    private int credits;
    private boolean left;
    private boolean stopped;

    // under calling
    private long number;

    StarGroup(LiveWorld world) {
        this.world = world;
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
    public void barrier() {
        call(Operation.BARRIER, -1, null, lengths -> new MemorySegment[lengths.length]);
    }

    @Override
    public List<byte[]> allGather(byte[] mine) {
        return gather(Operation.GATHER_BYTES, Check.notNull(mine, "mine"));
    }

    @Override
    public List<String> allGather(String mine) {
        byte[] utf8 = Check.notNull(mine, "mine").getBytes(StandardCharsets.UTF_8);
        return gather(Operation.GATHER_TEXT, utf8).stream()
                .map(text -> new String(text, StandardCharsets.UTF_8))
                .toList();
    }

    @Override
    public void allGather(MemorySegment mine, MemorySegment all) {
        Check.notNull(mine, "mine");
        Check.notNull(all, "all");
        long length = mine.byteSize();
        Check.that(length <= Long.MAX_VALUE / size() && all.byteSize() == length * size(),
                "wrong length: all=" + all.byteSize() + " bytes, mine=" + length + " bytes, size=" + size()
                        + "; pass size() * mine.byteSize() bytes");
        call(Operation.GATHER_BLOCKS, -1, mine, lengths -> {
            MemorySegment[] blocks = new MemorySegment[lengths.length];
            Arrays.setAll(blocks, source -> all.asSlice(source * length, length));
            return blocks;
        });
    }

    @Override
    public byte[] broadcast(byte[] mine, int root) {
        Check.index(root, size(), "root");
        if (rank() != root) {
            return results(Operation.BROADCAST, root, null).get(root);
        }
        return results(Operation.BROADCAST, root, limited(Check.notNull(mine, "mine"))).get(root);
    }

    private List<byte[]> gather(Operation operation, byte[] mine) {
        return results(operation, -1, limited(mine));
    }

    private static byte[] limited(byte[] mine) {
        Check.that(mine.length <= Call.MAX_VALUE_BYTES, "value too long: length=" + mine.length + " bytes, limit="
                + Call.MAX_VALUE_BYTES + "; gather larger data as memory segments");
        return mine;
    }

    private List<byte[]> results(Operation operation, int root, byte[] mine) {
        List<byte[]> results = new ArrayList<>();
        call(operation, root, mine == null ? null : MemorySegment.ofArray(mine), lengths -> {
            MemorySegment[] segments = new MemorySegment[lengths.length];
            for (int source = 0; source < lengths.length; source++) {
                results.add(new byte[Math.toIntExact(lengths[source])]);
                segments[source] = MemorySegment.ofArray(results.getLast());
            }
            return segments;
        });
        return results;
    }

    private void call(
            Operation operation, int root, MemorySegment mine, Function<long[], MemorySegment[]> destinations) {
        calling.lock();
        try {
            Check.that(!isStopped(), "world left: rank=" + rank() + ", call=" + operation.label()
                    + "; call collectives before leave()");
            throwIfFailed();
            Call call = new Call(++number, operation, root, mine == null ? 0 : mine.byteSize());
            world.link().send(new Message.Enter(call));
            await(call.number(), call.label(), () -> start != null && start.number() == call.number());
            long[] lengths = start.lengthsBytes();
            exchange(call, mine, lengths, destinations.apply(lengths));
        } finally {
            calling.unlock();
        }
    }

    private void exchange(Call call, MemorySegment mine, long[] lengths, MemorySegment[] destinations) {
        if (mine != null) {
            MemorySegment.copy(mine, 0, destinations[rank()], 0, mine.byteSize());
        }
        boolean alone = size() == 1;
        long toSend = mine == null || alone ? 0 : mine.byteSize();
        long toRead = 0;
        for (int source = 0; source < lengths.length; source++) {
            toRead += source == rank() ? 0 : lengths[source];
        }
        long sent = 0;
        while (sent < toSend || toRead > 0) {
            boolean moreToSend = sent < toSend;
            await(call.number(), call.label(), () -> !inbox.isEmpty() || moreToSend && credits > 0);
            Message.Chunk chunk;
            boolean maySend;
            lock.lock();
            try {
                chunk = inbox.poll();
                maySend = moreToSend && credits > 0;
                credits -= maySend ? 1 : 0;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
            if (chunk != null) {
                toRead -= place(chunk, call, destinations);
                world.link().taken(chunk);
            }
            if (maySend) {
                int length = (int) Math.min(Message.Chunk.MAX_BYTES, toSend - sent);
                byte[] bytes = new byte[length];
                MemorySegment.copy(mine, ValueLayout.JAVA_BYTE, sent, bytes, 0, length);
                world.link().send(new Message.Chunk(call.number(), rank(), sent, bytes));
                sent += length;
            }
        }
    }

    private int place(Message.Chunk chunk, Call call, MemorySegment[] destinations) {
        int length = chunk.bytes().length;
        if (chunk.number() != call.number() || chunk.source() < 0 || chunk.source() >= size()
                || chunk.source() == rank() || chunk.offsetBytes() < 0
                || chunk.offsetBytes() > destinations[chunk.source()].byteSize() - length) {
            world.fail(Failure.lost(0, "it sends data that does not belong to " + call.label()));
            throwIfFailed();
        }
        MemorySegment.copy(
                chunk.bytes(), 0, destinations[chunk.source()], ValueLayout.JAVA_BYTE, chunk.offsetBytes(), length);
        return length;
    }

    /** Waits for the hub's welcome and gives the job's id. */
    String awaitWelcome() {
        await(0, "the rendezvous", () -> welcome != null);
        return welcome.jobId();
    }

    /** Says goodbye and waits until it is heard. */
    void leave() {
        calling.lock();
        try {
            if (isStopped()) {
                return;
            }
            throwIfFailed();
            world.link().send(new Message.Leave());
            await(number + 1, "leave", () -> left);
            stop();
        } finally {
            calling.unlock();
        }
    }

    /** Waits until {@code holds}, evaluated under the lock; throws if the job comes down or the timeout passes. */
    private void await(long awaitedNumber, String what, BooleanSupplier holds) {
        Deadline deadline = world.deadline();
        boolean reported = false;
        while (true) {
            boolean interrupted = false;
            lock.lock();
            try {
                while (!holds.getAsBoolean()) {
                    throwIfFailed();
                    long remainingNs = deadline.remainingNs();
                    if (remainingNs == 0) {
                        break;
                    }
                    changed.awaitNanos(remainingNs);
                }
                if (holds.getAsBoolean()) {
                    return;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                interrupted = true;
            } finally {
                lock.unlock();
            }
            if (interrupted) {
                world.abort(new JobAbortedException(
                        "its thread was interrupted in " + what + "; let the rank's threads finish"));
                throwIfFailed();
            }
            if (world.patient()) {
                deadline = Deadline.in(0);
            } else if (!reported) {
                reported = true;
                world.link().send(new Message.Overdue(awaitedNumber, deadline.elapsedNs()));
                deadline = Deadline.in(VERDICT_NS);
            } else {
                world.failEverywhere(new Failure(Failure.Kind.TIMED_OUT, "rank " + rank() + " waited "
                        + Durations.text(world.timeoutNs()) + " in " + what
                        + " and rank 0, which connects the ranks, does"
                        + " not answer; see what rank 0 does, or give more time with --timeout"));
            }
        }
    }

    private void throwIfFailed() {
        Failure failure = world.failure();
        if (failure != null) {
            throw failure.asFailure();
        }
    }

    private boolean isStopped() {
        lock.lock();
        try {
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    /** Wakes whoever waits here; nothing more can be called. */
    void stop() {
        lock.lock();
        try {
            stopped = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Wakes whoever waits here, so that it sees the world's failure. */
    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Lets a connection's reader wait while the caller is behind with reading. */
    void awaitRoom() throws InterruptedException {
        lock.lock();
        try {
            while (inbox.size() >= INBOX_CHUNKS && !stopped && world.failure() == null) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes what the hub says. Never blocks. */
    void receive(Message message) {
        lock.lock();
        try {
            switch (message) {
                case Message.Start next -> {
                    start = next;
                    credits = Message.Chunk.WINDOW;
                }
                case Message.Chunk chunk -> {
                    if (world.failure() == null && !stopped) {
                        inbox.add(chunk);
                    }
                }
                case Message.Credit _ -> credits++;
                case Message.Left _ -> left = true;
                case Message.Welcome there -> welcome = there;
                case Message.Patience _ -> world.becomePatient();
                case Message.Abort(Failure failure) -> world.fail(failure);
                case Message.Heartbeat _ -> {
                }
                case Message.Enter _,Message.Overdue _,Message.Leave _ ->
                    world.fail(Failure.lost(0, "it says what only other ranks may say"));
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Says whether the hub has heard the goodbye. */
    boolean left() {
        lock.lock();
        try {
            return left;
        } finally {
            lock.unlock();
        }
    }
}
