package dev.tandem.core.internal.world;

import dev.tandem.core.internal.world.Failure.Kind;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The middle of a world: compares what the ranks call, starts a collective when all are in it, relays their data, and
 * makes the first failure everyone's.
 *
 * <p>A pure state machine: no threads, no clock, no input or output; it is told what happened and sends to
 * {@link Port ports}. Synchronised, and it never blocks, because ports do not.
 */
final class Hub {

    /** Where messages to one member go. */
    @FunctionalInterface
    interface Port {

        /** Takes a message for the member without blocking and without calling the hub. */
        void send(Message message);
    }

    private enum Place {
        AWAITED, HERE, LEFT
    }

    private final int size;
    private final String jobId;
    private final Runnable whenEnded;
    private final Deque<String> notices = new ArrayDeque<>();
    private final Port[] ports;
    private final Place[] places;
    /** What each rank is in, from its call until the next one starts; null before. */
    private final Call[] calls;
    private final long[] sentBytes;
    private final int[] sentChunks;
    private final int[] creditedChunks;
    private final int[][] takenChunks;
    private long current;
    private long[] lengthsBytes = new long[0];
    private boolean patient;
    private boolean complete;
    private Failure failure;

    /**
     * Makes a hub that waits for its ranks.
     *
     * @param size how many ranks there will be
     * @param jobId what they will call their job
     * @param whenEnded run once, when all ranks have left or the job comes down; must not block or call the hub
     */
    Hub(int size, String jobId, Runnable whenEnded) {
        this.size = size;
        this.jobId = jobId;
        this.whenEnded = whenEnded;
        ports = new Port[size];
        places = new Place[size];
        Arrays.fill(places, Place.AWAITED);
        calls = new Call[size];
        sentBytes = new long[size];
        sentChunks = new int[size];
        creditedChunks = new int[size];
        takenChunks = new int[size][size];
    }

    int size() {
        return size;
    }

    /**
     * A rank has come. When all have, they are welcomed.
     *
     * @param rank its number
     * @param unlimited whether its deadlines stand still
     * @param port where its messages go
     * @return false if the rank is not taken, because there is one already or the job has failed
     */
    synchronized boolean join(int rank, boolean unlimited, Port port) {
        if (failure != null) {
            port.send(new Message.Abort(failure));
            return false;
        }
        if (places[rank] != Place.AWAITED) {
            Failure twice = new Failure(Kind.SETUP, "two ranks with one number: rank=" + rank + ", world size=" + size
                    + "; give every process a RANK of its own");
            fail(twice);
            port.send(new Message.Abort(twice));
            return false;
        }
        places[rank] = Place.HERE;
        ports[rank] = port;
        if (patient) {
            port.send(new Message.Patience());
        } else if (unlimited) {
            patient = true;
            toAll(new Message.Patience());
        }
        if (!any(other -> places[other] == Place.AWAITED)) {
            complete = true;
            toAll(new Message.Welcome(jobId));
        }
        return true;
    }

    /** Says whether all ranks have come, at some time. */
    synchronized boolean complete() {
        return complete;
    }

    /** Says whether some rank's deadlines stand still. */
    synchronized boolean patient() {
        return patient;
    }

    /** Gives why the job comes down; null while it does not. */
    synchronized Failure failure() {
        return failure;
    }

    /** Names the ranks that have not come. */
    synchronized String awaited() {
        return names(rank -> places[rank] == Place.AWAITED);
    }

    /** Names the ranks that have not left. */
    synchronized String here() {
        return names(rank -> places[rank] == Place.HERE);
    }

    /** Says whether every rank has left. */
    synchronized boolean over() {
        return !any(rank -> places[rank] != Place.LEFT);
    }

    /** Says whether a rank has said goodbye. */
    synchronized boolean left(int rank) {
        return places[rank] == Place.LEFT;
    }

    /**
     * A member says something.
     *
     * @param rank who
     * @param message what
     */
    synchronized void receive(int rank, Message message) {
        if (failure != null || places[rank] != Place.HERE) {
            return;
        }
        switch (message) {
            case Message.Enter(Call call) -> enter(rank, call);
            case Message.Chunk chunk -> relay(rank, chunk);
            case Message.Overdue(long number, long waitedNs) -> overdue(rank, number, waitedNs);
            case Message.Abort(Failure cause) -> fail(cause);
            case Message.Leave() -> leave(rank);
            case Message.Heartbeat() -> {
            }
            case Message.Start _,Message.Credit _,Message.Left _,Message.Welcome _,Message.Patience _ ->
                lost(rank, "it says what only rank 0 may say");
        }
    }

    /**
     * A member has gone without a goodbye, or talks nonsense.
     *
     * @param rank who
     * @param how in words that follow {@code rank 1 is lost:}
     */
    synchronized void lost(int rank, String how) {
        if (places[rank] != Place.LEFT) {
            fail(Failure.lost(rank, how));
        }
    }

    /**
     * A relayed chunk has left the hub for a member; {@link Message.Credit} follows when it has for all.
     *
     * @param rank the member
     * @param chunk what it got
     */
    synchronized void taken(int rank, Message.Chunk chunk) {
        if (failure != null || chunk.number() != current) {
            return;
        }
        int source = chunk.source();
        takenChunks[source][rank]++;
        int byAll = Integer.MAX_VALUE;
        for (int other = 0; other < size; other++) {
            if (other != source) {
                byAll = Math.min(byAll, takenChunks[source][other]);
            }
        }
        for (; creditedChunks[source] < byAll; creditedChunks[source]++) {
            ports[source].send(new Message.Credit(current));
        }
    }

    /**
     * Brings the job down, unless it is already coming down or over.
     *
     * @param cause the first cause
     */
    synchronized void fail(Failure cause) {
        if (failure == null && !over()) {
            failure = cause;
            toAll(new Message.Abort(cause));
            whenEnded.run();
        }
    }

    /**
     * Remembers something that may explain why a rank does not come.
     *
     * @param text half a sentence
     */
    synchronized void notice(String text) {
        if (!complete) {
            notices.addLast(text);
            if (notices.size() > 3) {
                notices.removeFirst();
            }
        }
    }

    private void enter(int rank, Call call) {
        if (!plausible(rank, call)) {
            lost(rank, "it calls " + call.labelWithSize() + " after #" + current);
            return;
        }
        calls[rank] = call;
        for (int other = 0; other < size; other++) {
            if (places[other] == Place.LEFT) {
                fail(leftAlone(other, rank));
                return;
            }
            Call there = calls[other];
            if (there != null && there.number() > current && !there.matches(call)) {
                int low = Math.min(rank, other);
                int high = Math.max(rank, other);
                fail(new Failure(Kind.USAGE, "ranks disagree: rank " + low + " is in " + calls[low].labelWithSize()
                        + ", rank " + high + " in " + calls[high].labelWithSize()
                        + "; let every rank call the same collectives in the same order"));
                return;
            }
        }
        if (any(other -> !entered(other))) {
            return;
        }
        current = call.number();
        lengthsBytes = Arrays.stream(calls).mapToLong(Call::lengthBytes).toArray();
        Arrays.fill(sentBytes, 0);
        Arrays.fill(sentChunks, 0);
        Arrays.fill(creditedChunks, 0);
        for (int[] row : takenChunks) {
            Arrays.fill(row, 0);
        }
        toAll(new Message.Start(current, lengthsBytes));
    }

    private boolean plausible(int rank, Call call) {
        boolean next = call.number() == current + 1 && !entered(rank);
        boolean rooted = call.operation() == Operation.BROADCAST
                ? call.root() >= 0 && call.root() < size && (call.root() == rank || call.lengthBytes() == 0)
                : call.root() == -1;
        long limit = call.operation() == Operation.BARRIER
                ? 0
                : call.operation().equalSizes() ? Long.MAX_VALUE / size : Call.MAX_VALUE_BYTES;
        return next && rooted && call.lengthBytes() >= 0 && call.lengthBytes() <= limit;
    }

    private boolean entered(int rank) {
        return calls[rank] != null && calls[rank].number() > current;
    }

    private void relay(int rank, Message.Chunk chunk) {
        boolean inOrder = chunk.number() == current && chunk.source() == rank && !entered(rank)
                && chunk.offsetBytes() == sentBytes[rank] && chunk.bytes().length > 0
                && chunk.bytes().length <= Message.Chunk.MAX_BYTES
                && chunk.bytes().length <= lengthsBytes[rank] - sentBytes[rank]
                && sentChunks[rank] - creditedChunks[rank] < Message.Chunk.WINDOW;
        if (!inOrder) {
            lost(rank, "it sends data that nobody has asked for");
            return;
        }
        sentBytes[rank] += chunk.bytes().length;
        sentChunks[rank]++;
        for (int other = 0; other < size; other++) {
            if (other != rank) {
                ports[other].send(chunk);
            }
        }
    }

    private void overdue(int rank, long number, long waitedNs) {
        String waited = Durations.text(waitedNs);
        if (!complete) {
            fail(new Failure(Kind.TIMED_OUT, "ranks have not come: " + awaited() + " of " + size + " not there after "
                    + waited + "; see why they did not start, or give more time with --timeout"
                    + (notices.isEmpty() ? "" : " (meanwhile " + String.join("; ", notices) + ")")));
        } else if (number == current + 1) {
            Call call = Arrays.stream(calls).filter(c -> c != null && c.number() == number).findFirst().orElse(null);
            if (call != null) {
                fail(new Failure(Kind.TIMED_OUT, names(this::entered) + " waited " + waited + " in " + call.label()
                        + " for " + names(other -> !entered(other))
                        + "; see what these do, or give more time with --timeout"));
            }
        } else if (number == current) {
            String slow = names(other -> sentBytes[other] < lengthsBytes[other]
                    && sentChunks[other] - creditedChunks[other] < Message.Chunk.WINDOW);
            String full = names(other -> any(
                    source -> source != other && takenChunks[source][other] < sentChunks[source]));
            String text = !full.isEmpty()
                    ? full + " to take its data"
                    : !slow.isEmpty() ? slow + " to send its data" : "data that is on its way";
            fail(new Failure(Kind.TIMED_OUT,
                    "rank " + rank + " waited " + waited + " in " + calls[rank].label() + " for "
                            + text + "; see what the ranks do, or give more time with --timeout"));
        }
    }

    private void leave(int rank) {
        if (entered(rank)) {
            lost(rank, "it has finished although it waits in " + calls[rank].label());
            return;
        }
        places[rank] = Place.LEFT;
        for (int other = 0; other < size; other++) {
            if (entered(other)) {
                places[rank] = Place.HERE;
                fail(leftAlone(rank, other));
                return;
            }
        }
        ports[rank].send(new Message.Left());
        if (over()) {
            whenEnded.run();
        }
    }

    private Failure leftAlone(int left, int waiting) {
        return new Failure(Kind.PEER_LOST, "rank " + left + " has finished, but rank " + waiting + " waits in "
                + calls[waiting].label() + "; let every rank call the same collectives");
    }

    private void toAll(Message message) {
        for (int rank = 0; rank < size; rank++) {
            if (places[rank] == Place.HERE) {
                ports[rank].send(message);
            }
        }
    }

    private boolean any(IntPredicate holds) {
        return IntStream.range(0, size).anyMatch(holds);
    }

    /** Names ranks as {@code rank 3} or {@code ranks 1, 2 and 14 more}; empty if there are none. */
    private String names(IntPredicate holds) {
        int[] ranks = IntStream.range(0, size).filter(holds).toArray();
        String list = Arrays.stream(ranks).limit(16).mapToObj(Integer::toString).collect(Collectors.joining(", "));
        return (ranks.length == 0 ? "" : ranks.length == 1 ? "rank " : "ranks ") + list
                + (ranks.length > 16 ? " and " + (ranks.length - 16) + " more" : "");
    }
}
