package dev.tandem.core.internal.world;

import dev.tandem.core.world.Deadline;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A link over a socket whose other end has been proven.
 *
 * <p>A thread reads and a thread writes, so that {@link #send} never blocks, whatever the peer does. The news of a
 * failure takes the place of the data that still queues; the collectives' windows bound how much that is. Thread-safe.
 */
final class Connection implements Link {

    /** How long the end of a connection waits for the peer. */
    static final long LINGER_NS = 500_000_000L;

    private static final int BUFFER_BYTES = 64 << 10;

    private final Socket socket;
    private final int worldSize;
    private final Inbound inbound;
    private final Thread reader;
    private final Thread writer;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Message> queue = new ArrayDeque<>();
    private boolean closing;

    /** What comes out of a connection; called by its threads. */
    interface Inbound {

        /** Takes a message. */
        void receive(Message message);

        /** Waits before the next message is read while the receiver is behind. */
        default void awaitRoom() throws InterruptedException {
        }

        /** A chunk has left this side. */
        default void written(Message.Chunk chunk) {
        }

        /** The connection has ended, by the peer or by a failure, in words that follow {@code rank 1 is lost:}. */
        void ended(String how);
    }

    Connection(Socket socket, int worldSize, String threadNames, Inbound inbound) {
        this.socket = socket;
        this.worldSize = worldSize;
        this.inbound = inbound;
        reader = Thread.ofPlatform().daemon().name(threadNames + "-reader").unstarted(this::read);
        writer = Thread.ofPlatform().daemon().name(threadNames + "-writer").unstarted(this::write);
    }

    /** Starts to read and write. */
    void start() {
        reader.start();
        writer.start();
    }

    @Override
    public void send(Message message) {
        lock.lock();
        try {
            if (closing) {
                return;
            }
            if (message instanceof Message.Abort) {
                queue.removeIf(Message.Chunk.class::isInstance);
            }
            queue.add(message);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void taken(Message.Chunk chunk) {
        // The hub counts a chunk as taken when it has written it.
    }

    private void read() {
        String how;
        try {
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
            while (true) {
                inbound.awaitRoom();
                inbound.receive(FrameDescriptor.read(in, worldSize));
            }
        } catch (EOFException e) {
            how = "its connection has ended without a goodbye";
        } catch (FrameDescriptor.BadFrameException e) {
            how = "it sent a " + e.getMessage();
        } catch (IOException e) {
            how = "its connection broke (" + e.getMessage() + ")";
        } catch (InterruptedException e) {
            how = "its connection was closed here";
        }
        inbound.ended(how);
        beginClose();
    }

    private void write() {
        try (socket;
                DataOutputStream out = new DataOutputStream(
                        new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES))) {
            for (Message next = next(out); next != null; next = next(out)) {
                FrameDescriptor.write(next, out);
                if (next instanceof Message.Chunk chunk) {
                    inbound.written(chunk);
                }
            }
            out.flush();
            socket.shutdownOutput();
            reader.join(LINGER_NS / 1_000_000);
        } catch (IOException e) {
            inbound.ended("its connection broke (" + e.getMessage() + ")");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Gives the next message to write; null when all is written and the connection is to end. */
    private Message next(DataOutputStream out) throws IOException, InterruptedException {
        lock.lock();
        try {
            if (!queue.isEmpty()) {
                return queue.poll();
            }
            if (closing) {
                return null;
            }
        } finally {
            lock.unlock();
        }
        out.flush();
        lock.lock();
        try {
            while (queue.isEmpty() && !closing) {
                changed.await();
            }
            return queue.poll();
        } finally {
            lock.unlock();
        }
    }

    /** Lets the connection end once everything is written; returns at once. */
    void beginClose() {
        lock.lock();
        try {
            closing = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the end that {@link #beginClose} began, then ends it by force. */
    void endClose(Deadline deadline) {
        boolean interrupted = join(writer, deadline);
        interrupted |= join(reader, deadline);
        try {
            socket.close();
        } catch (IOException e) {
            // Nothing is left to be sent; the system ends the connection with the process at the latest.
            interrupted |= Thread.interrupted();
        }
        writer.interrupt();
        reader.interrupt();
        Deadline last = Deadline.in(LINGER_NS);
        interrupted |= join(writer, last);
        interrupted |= join(reader, last);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for a thread's end; true if the wait was interrupted. */
    static boolean join(Thread thread, Deadline deadline) {
        boolean interrupted = false;
        while (thread.isAlive() && thread != Thread.currentThread()) {
            long leftMs = deadline.remainingNs() / 1_000_000;
            if (leftMs <= 0) {
                break;
            }
            try {
                thread.join(leftMs);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        return interrupted;
    }

    @Override
    public void close() {
        beginClose();
        endClose(Deadline.in(LINGER_NS));
    }
}
