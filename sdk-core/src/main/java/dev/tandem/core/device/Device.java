package dev.tandem.core.device;

import dev.tandem.core.Check;
import dev.tandem.core.TandemException;
import dev.tandem.core.UsageException;
import dev.tandem.core.launch.JobSettings;
import dev.tandem.core.world.World;
import java.util.ArrayList;
import java.util.List;

/**
 * The device of one rank: its number of logical cores, its processor slots and its streams.
 *
 * <p>Thread-safe. Closing it closes its streams.
 */
public final class Device implements AutoCloseable {

    private final World world;
    private final int cores;
    private final ProcessorPermits permits;
    private final List<Stream> streams = new ArrayList<>();
    private boolean closed;

    /**
     * Creates a rank's device.
     *
     * <p>It has {@code max(1, processors / ranks on this machine)} processor slots, and the logical cores of the settings or, if
     * these leave it open, two for each slot, so that one computes while the other waits.
     *
     * @param world the rank's world
     * @param settings the job's settings
     */
    public Device(World world, JobSettings settings) {
        this.world = Check.notNull(world, "world");
        int slots = Math.max(1, Runtime.getRuntime().availableProcessors() / world.localSize());
        int wanted = Check.notNull(settings, "settings").logicalCores();
        this.cores = wanted > 0 ? wanted : 2 * slots;
        this.permits = new ProcessorPermits(world, slots);
        world.onAbort(this::wakeAll);
    }

    /**
     * Says how many AI cores the device has, that is, how many programs of a launch run side by side.
     *
     * @return at least 1
     */
    public int cores() {
        return cores;
    }

    /**
     * Gives the processor slots that the cores share.
     *
     * @return one object a device
     */
    public ProcessorPermits permits() {
        return permits;
    }

    /**
     * Gives the world of the device's rank.
     *
     * @return the world
     */
    public World world() {
        return world;
    }

    /**
     * Creates a stream with a thread of its own.
     *
     * @param name what it is called in messages, traces and thread dumps; no other open stream of this device has it
     * @return an empty stream
     */
    public Stream createStream(String name) {
        Check.notNull(name, "name");
        synchronized (streams) {
            Check.that(!closed, "device of rank " + world.rank() + " is closed: stream=" + name
                    + "; create streams before it is closed");
            for (Stream stream : streams) {
                Check.that(!stream.name().equals(name), "stream exists: name=" + name + ", rank=" + world.rank()
                        + "; close the other one first or choose another name");
            }
            Stream stream = new Stream(this, name);
            streams.add(stream);
            return stream;
        }
    }

    /**
     * Waits until all streams have done what was enqueued before this call.
     *
     * @throws TandemException what {@link Stream#synchronize()} throws for the first stream that fails
     */
    public void synchronize() {
        open().forEach(Stream::synchronize);
    }

    /**
     * Reads the clock that the events of this device are timed with.
     *
     * @return nanoseconds from an arbitrary origin, equal for all devices of one JVM
     */
    public long nowNs() {
        return System.nanoTime();
    }

    /**
     * Closes all streams: what is enqueued still runs, for as long as the world's timeout allows.
     *
     * @throws TandemException the first failure of closing a stream, the others attached to it; all are closed nevertheless
     */
    @Override
    public void close() {
        synchronized (streams) {
            closed = true;
        }
        TandemException first = null;
        for (Stream stream : open()) {
            try {
                stream.close();
            } catch (TandemException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    void forget(Stream stream) {
        synchronized (streams) {
            streams.remove(stream);
        }
    }

    private List<Stream> open() {
        synchronized (streams) {
            return List.copyOf(streams);
        }
    }

    private void wakeAll() {
        open().forEach(Stream::wake);
    }

    /** Refuses an event of another device, which cannot be waited for on this one. */
    void checkOwn(Event event) {
        Check.notNull(event, "event");
        if (event.stream().device() != this) {
            throw new UsageException("event of another device: event=" + event + ", device of rank=" + world.rank()
                    + "; exchange a signal between ranks instead");
        }
    }
}
