package dev.tandem.profiler.trace;

import dev.tandem.core.Check;
import java.util.Arrays;

/**
 * One row of a trace: the slices of one thread or stream of one process, sorted by start. Slices of a lane may overlap and
 * may have no length. Immutable and free to share between threads.
 */
public final class Lane {

    private static final Category[] CATEGORIES = Category.values();

    private final String rank;
    private final String process;
    private final String thread;
    private final long[] startNs;
    private final long[] durationNs;
    private final String[] names;
    private final byte[] categories;

    private Lane(Builder builder, Integer[] order) {
        rank = builder.rank;
        process = builder.process;
        thread = builder.thread;
        startNs = new long[order.length];
        durationNs = new long[order.length];
        names = new String[order.length];
        categories = new byte[order.length];
        for (int i = 0; i < order.length; i++) {
            startNs[i] = builder.startNs[order[i]];
            durationNs[i] = builder.durationNs[order[i]];
            names[i] = builder.names[order[i]];
            categories[i] = builder.categories[order[i]];
        }
    }

    /**
     * Starts a lane.
     *
     * @param rank the label of the rank it belongs to; lanes with one label are analysed together
     * @param process the name of its process
     * @param thread the name of its thread or stream
     * @return a builder without slices
     */
    public static Builder of(String rank, String process, String thread) {
        return new Builder(rank, process, thread);
    }

    /**
     * Gives the label of the rank this lane belongs to.
     *
     * @return the label, as {@code rank 3}
     */
    public String rank() {
        return rank;
    }

    /**
     * Gives the name of the process.
     *
     * @return the name, or {@code process} with its id if the file names none
     */
    public String process() {
        return process;
    }

    /**
     * Gives the name of the thread or stream.
     *
     * @return the name, or {@code thread} with its id if the file names none
     */
    public String thread() {
        return thread;
    }

    /**
     * Counts the slices.
     *
     * @return the number of slices
     */
    public int size() {
        return startNs.length;
    }

    /**
     * Gives the start of a slice.
     *
     * @param slice its index, from 0 in the order of starts
     * @return nanoseconds on the clock of the trace
     */
    public long startNs(int slice) {
        return startNs[slice];
    }

    /**
     * Gives the length of a slice.
     *
     * @param slice its index
     * @return nanoseconds, 0 or more
     */
    public long durationNs(int slice) {
        return durationNs[slice];
    }

    /**
     * Gives the end of a slice, which no longer belongs to it.
     *
     * @param slice its index
     * @return nanoseconds on the clock of the trace
     */
    public long endNs(int slice) {
        return startNs[slice] + durationNs[slice];
    }

    /**
     * Gives the name of a slice.
     *
     * @param slice its index
     * @return the name, perhaps empty
     */
    public String name(int slice) {
        return names[slice];
    }

    /**
     * Tells what a slice counts as.
     *
     * @param slice its index
     * @return its category
     */
    public Category category(int slice) {
        return CATEGORIES[categories[slice]];
    }

    /** Collects the slices of a lane, in any order. For one thread. */
    public static final class Builder {

        private final String rank;
        private final String process;
        private final String thread;
        private long[] startNs = new long[16];
        private long[] durationNs = new long[16];
        private String[] names = new String[16];
        private byte[] categories = new byte[16];
        private int size;

        private Builder(String rank, String process, String thread) {
            this.rank = Check.notNull(rank, "rank");
            this.process = Check.notNull(process, "process");
            this.thread = Check.notNull(thread, "thread");
        }

        /**
         * Adds a slice.
         *
         * @param sliceStartNs its start in nanoseconds
         * @param sliceDurationNs its length in nanoseconds, 0 or more
         * @param name its name
         * @param category what it counts as
         * @return this builder
         * @throws dev.tandem.core.UsageException if the length is negative, or the end lies beyond 64 bits
         */
        public Builder add(long sliceStartNs, long sliceDurationNs, String name, Category category) {
            Check.notNegative(sliceDurationNs, "durationNs");
            Check.that(sliceStartNs + sliceDurationNs >= sliceStartNs, "slice ends beyond 64-bit nanoseconds: startNs="
                    + sliceStartNs + ", durationNs=" + sliceDurationNs + "; give times that fit");
            if (size == startNs.length) {
                int capacity = size * 2;
                startNs = Arrays.copyOf(startNs, capacity);
                durationNs = Arrays.copyOf(durationNs, capacity);
                names = Arrays.copyOf(names, capacity);
                categories = Arrays.copyOf(categories, capacity);
            }
            startNs[size] = sliceStartNs;
            durationNs[size] = sliceDurationNs;
            names[size] = Check.notNull(name, "name");
            categories[size] = (byte) category.ordinal();
            size++;
            return this;
        }

        /**
         * Makes the lane.
         *
         * @return a lane of the slices added so far; those with one start keep the order they were added in
         */
        public Lane build() {
            Integer[] order = new Integer[size];
            Arrays.setAll(order, i -> i);
            Arrays.sort(order, (a, b) -> Long.compare(startNs[a], startNs[b]));
            return new Lane(this, order);
        }
    }
}
