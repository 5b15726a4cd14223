package dev.tandem.profiler.analysis;

import dev.tandem.core.Check;
import java.util.Arrays;

/**
 * A set of points in time, as sorted intervals {@code [start, end)} of nanoseconds that neither overlap nor touch.
 * Immutable. Every operation takes time in proportion to the number of intervals.
 */
public final class Intervals {

    /** The set without a point. */
    public static final Intervals EMPTY = new Intervals(new long[0]);

    /** start, end, start, end, ... strictly growing. */
    private final long[] bounds;

    private Intervals(long[] bounds) {
        this.bounds = bounds;
    }

    /**
     * Starts a set.
     *
     * @return a builder of the union of the intervals added to it
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Counts the intervals.
     *
     * @return how many intervals that do not touch make up the set
     */
    public int size() {
        return bounds.length / 2;
    }

    /**
     * Tells whether no point is in the set.
     *
     * @return whether it is empty
     */
    public boolean isEmpty() {
        return bounds.length == 0;
    }

    /**
     * Gives the start of an interval.
     *
     * @param interval its index, from 0 in the order of time
     * @return nanoseconds; belongs to the set
     */
    public long startNs(int interval) {
        return bounds[2 * Check.index(interval, size(), "interval")];
    }

    /**
     * Gives the end of an interval.
     *
     * @param interval its index, from 0 in the order of time
     * @return nanoseconds; the first point after the interval
     */
    public long endNs(int interval) {
        return bounds[2 * Check.index(interval, size(), "interval") + 1];
    }

    /**
     * Measures the set.
     *
     * @return the total length of its intervals in nanoseconds
     */
    public long lengthNs() {
        long length = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            length += bounds[i + 1] - bounds[i];
        }
        return length;
    }

    /**
     * Measures from the first start to the last end.
     *
     * @return nanoseconds, gaps included; 0 if the set is empty
     */
    public long spanNs() {
        return isEmpty() ? 0 : bounds[bounds.length - 1] - bounds[0];
    }

    /**
     * Unites two sets.
     *
     * @param other the other set
     * @return the points of either
     */
    public Intervals or(Intervals other) {
        return combine(other, true, true, true);
    }

    /**
     * Intersects two sets.
     *
     * @param other the other set
     * @return the points of both
     */
    public Intervals and(Intervals other) {
        return combine(other, false, true, false);
    }

    /**
     * Takes a set away.
     *
     * @param other the set taken away
     * @return the points of this set that are not in the other
     */
    public Intervals minus(Intervals other) {
        return combine(other, true, false, false);
    }

    /** Sweeps over the bounds of both sets; a point is kept by where it lies: only here, in both, only there. */
    private Intervals combine(Intervals other, boolean onlyHere, boolean both, boolean onlyThere) {
        long[] a = bounds;
        long[] b = other.bounds;
        long[] result = new long[a.length + b.length];
        int size = 0;
        int i = 0;
        int j = 0;
        boolean inside = false;
        while (i < a.length || j < b.length) {
            long at = j == b.length || i < a.length && a[i] <= b[j] ? a[i] : b[j];
            if (i < a.length && a[i] == at) {
                i++;
            }
            if (j < b.length && b[j] == at) {
                j++;
            }
            boolean here = (i & 1) == 1;
            boolean there = (j & 1) == 1;
            boolean now = here ? there ? both : onlyHere : there && onlyThere;
            if (now != inside) {
                result[size++] = at;
                inside = now;
            }
        }
        return size == 0 ? EMPTY : new Intervals(Arrays.copyOf(result, size));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Intervals intervals && Arrays.equals(bounds, intervals.bounds);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bounds);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < bounds.length; i += 2) {
            text.append(i == 0 ? "" : ", ")
                    .append('[')
                    .append(bounds[i])
                    .append(", ")
                    .append(bounds[i + 1])
                    .append(')');
        }
        return text.append('}').toString();
    }

    /** Collects intervals in any order. For one thread. */
    public static final class Builder {

        private long[] starts = new long[16];
        private long[] ends = new long[16];
        private int size;

        private Builder() {
        }

        /**
         * Adds an interval; one without length adds nothing.
         *
         * @param startNs its first point in nanoseconds
         * @param endNs the first point after it
         * @return this builder
         * @throws dev.tandem.core.UsageException if it ends before it starts
         */
        public Builder add(long startNs, long endNs) {
            Check.that(startNs <= endNs,
                    "interval ends before it starts: startNs=" + startNs + ", endNs=" + endNs + "; swap them");
            if (startNs == endNs) {
                return this;
            }
            if (size == starts.length) {
                starts = Arrays.copyOf(starts, size * 2);
                ends = Arrays.copyOf(ends, size * 2);
            }
            starts[size] = startNs;
            ends[size] = endNs;
            size++;
            return this;
        }

        /**
         * Makes the set.
         *
         * @return the union of the intervals added so far
         */
        public Intervals build() {
            // The k-th start and the k-th end in time: where as many ended as began, an interval of the union ends.
            long[] s = Arrays.copyOf(starts, size);
            long[] e = Arrays.copyOf(ends, size);
            Arrays.sort(s);
            Arrays.sort(e);
            long[] bounds = new long[2 * size];
            int count = 0;
            for (int k = 0; k < size; k++) {
                if (k == 0 || s[k] > e[k - 1]) {
                    if (k > 0) {
                        bounds[count++] = e[k - 1];
                    }
                    bounds[count++] = s[k];
                }
            }
            if (size == 0) {
                return EMPTY;
            }
            bounds[count++] = e[size - 1];
            return new Intervals(Arrays.copyOf(bounds, count));
        }
    }
}
