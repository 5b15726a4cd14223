package dev.tandem.core.tensor;

import dev.tandem.core.Check;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Compares tensors, element by element.
 *
 * <p>{@link #compare} has the meaning of {@code torch.testing.assert_close}: an element is close if it equals the expected
 * one or if {@code |actual - expected| <= atol + rtol * |expected|} with a finite difference. A NaN is close to nothing, not even to a NaN; equal
 * infinities are equal. Differences are computed in {@code double}; the two types may be any floating-point ones.
 *
 * <p>{@link #exact} compares bits, for data that was only moved: a NaN with the same bits is equal, and -0 differs from +0.
 *
 * <p>Stateless and thread-safe as long as nobody writes to the tensors.
 */
public final class Closeness {

    private Closeness() {
    }

    /**
     * What a comparison found. Indices and the values there are those of the first such element in row-major order.
     *
     * @param exact whether bits were compared; then the tolerances are 0
     * @param rtol relative tolerance
     * @param atol absolute tolerance
     * @param mismatched how many elements differ by more than the tolerance
     * @param notNumbers how many of those because either side is a NaN
     * @param total how many elements were compared
     * @param firstIndex where the first mismatch is; null if there is none
     * @param firstActual the value there
     * @param firstExpected the value that should be there
     * @param maxAbsolute the greatest {@code |actual - expected|} of all elements, NaN left out
     * @param maxAbsoluteIndex where that is; null if nothing differs
     * @param maxRelative the greatest {@code |actual - expected| / |expected|} of all elements, NaN left out; infinite where only
     *     the expected value is 0
     * @param maxRelativeIndex where that is; null if nothing differs
     */
    public record Report(boolean exact, double rtol, double atol, long mismatched, long notNumbers, long total,
            long[] firstIndex, double firstActual, double firstExpected, double maxAbsolute, long[] maxAbsoluteIndex,
            double maxRelative, long[] maxRelativeIndex) {

        /**
         * Gives the verdict.
         *
         * @return true if every element is close (or, for an exact comparison, equal)
         */
        public boolean close() {
            return mismatched == 0;
        }

        /** One sentence for a user: the verdict, then the count, the first mismatch and the greatest differences. */
        @Override
        public String toString() {
            String limits = exact ? "bit for bit" : "within rtol=" + rtol + ", atol=" + atol;
            if (close()) {
                return "all " + total + " elements equal " + limits
                        + (exact || maxAbsoluteIndex == null ? "" : "; " + greatest());
            }
            String nan = notNumbers == 0 ? "" : " (" + notNumbers + " of them not a number)";
            return mismatched + " of " + total + " elements (" + percent() + ") differ" + nan + ", not equal " + limits
                    + "; first at " + Arrays.toString(firstIndex) + ": actual=" + firstActual + ", expected="
                    + firstExpected + (maxAbsoluteIndex == null ? "" : "; " + greatest());
        }

        private String greatest() {
            return "greatest absolute difference " + maxAbsolute + " at " + Arrays.toString(maxAbsoluteIndex)
                    + ", greatest relative difference " + maxRelative + " at " + Arrays.toString(maxRelativeIndex);
        }

        private String percent() {
            double percent = 100.0 * mismatched / total;
            return percent < 0.1 ? "under 0.1 %" : Math.round(percent * 10) / 10.0 + " %";
        }
    }

    /**
     * Compares two tensors within a tolerance.
     *
     * @param actual what was computed
     * @param expected what should have come out; of the same shape, of any floating-point type
     * @param rtol relative tolerance, 0 or more
     * @param atol absolute tolerance, 0 or more
     * @return what was found
     */
    public static Report compare(Tensor actual, Tensor expected, double rtol, double atol) {
        checkShapes(actual, expected);
        Check.that(actual.dtype().isFloat() && expected.dtype().isFloat(), "no tolerance for integers: actual=" + actual
                + ", expected=" + expected + "; compare integers exactly");
        Check.that(rtol >= 0 && atol >= 0 && rtol < Double.POSITIVE_INFINITY && atol < Double.POSITIVE_INFINITY,
                "bad tolerance: rtol=" + rtol + ", atol=" + atol + "; pass finite values of 0 or more");
        Scan scan = new Scan(actual, expected, rtol, atol);
        scan.all();
        return scan.report(false);
    }

    /**
     * Compares two tensors bit for bit.
     *
     * @param actual what came
     * @param expected what should have come; of the same shape and type
     * @return what was found; {@code notNumbers} counts mismatches only
     */
    public static Report exact(Tensor actual, Tensor expected) {
        checkShapes(actual, expected);
        Check.that(actual.dtype() == expected.dtype(), "types differ: actual=" + actual + ", expected=" + expected
                + "; compare bits of one type");
        ExactScan scan = new ExactScan(actual, expected);
        scan.all();
        return scan.report(true);
    }

    private static void checkShapes(Tensor actual, Tensor expected) {
        Check.notNull(actual, "actual");
        Check.notNull(expected, "expected");
        Check.that(actual.hasShapeOf(expected),
                "shapes differ: actual=" + actual + ", expected=" + expected + "; compare equal shapes");
    }

    /** One comparison under way; tiles of doubles that stay in the cache. */
    private static class Scan {
        final Tensor actual;
        final Tensor expected;
        final double rtol;
        final double atol;
        final double[] as = new double[Conversions.CHUNK];
        final double[] es = new double[Conversions.CHUNK];
        long mismatched;
        long notNumbers;
        long first = -1;
        double firstActual;
        double firstExpected;
        double maxAbsolute;
        long maxAbsoluteAt = -1;
        double maxRelative;
        long maxRelativeAt = -1;

        Scan(Tensor actual, Tensor expected, double rtol, double atol) {
            this.actual = actual;
            this.expected = expected;
            this.rtol = rtol;
            this.atol = atol;
        }

        void all() {
            if (actual.elements() == 0) {
                return;
            }
            Runs runs = new Runs(actual, expected);
            do {
                int n;
                for (long done = 0; done < runs.length(); done += n) {
                    n = (int) Math.min(Conversions.CHUNK, runs.length() - done);
                    tile(runs.first() + done, runs.offset(0) + done, runs.offset(1) + done, n);
                }
            } while (runs.next());
        }

        void tile(long at, long actualOffset, long expectedOffset, int n) {
            load(actualOffset, expectedOffset, n);
            if (misses(as, es, n, rtol, atol) > 0) {
                mismatches(at, n);
            }
            differences(at, n);
        }

        final void load(long actualOffset, long expectedOffset, int n) {
            Conversions.toDoubles(actual.segment(), actual.dtype(), actualOffset, as, 0, n);
            Conversions.toDoubles(expected.segment(), expected.dtype(), expectedOffset, es, 0, n);
        }

        static boolean close(double a, double e, double rtol, double atol) {
            double difference = Math.abs(a - e);
            return a == e || difference <= atol + rtol * Math.abs(e) && difference < Double.POSITIVE_INFINITY;
        }

        static int misses(double[] as, double[] es, int n, double rtol, double atol) {
            int misses = 0;
            for (int i = 0; i < n; i++) {
                misses += close(as[i], es[i], rtol, atol) ? 0 : 1;
            }
            return misses;
        }

        void mismatches(long at, int n) {
            for (int i = 0; i < n; i++) {
                if (!close(as[i], es[i], rtol, atol)) {
                    mismatch(at + i, as[i], es[i]);
                }
            }
        }

        final void mismatch(long at, double a, double e) {
            if (mismatched++ == 0) {
                first = at;
                firstActual = a;
                firstExpected = e;
            }
            if (Double.isNaN(a) || Double.isNaN(e)) {
                notNumbers++;
            }
        }

        /** A NaN is never greater than anything, so it does not count here. */
        final void differences(long at, int n) {
            for (int i = 0; i < n; i++) {
                if (as[i] == es[i]) {
                    continue;
                }
                double absolute = Math.abs(as[i] - es[i]);
                if (absolute > maxAbsolute) {
                    maxAbsolute = absolute;
                    maxAbsoluteAt = at + i;
                }
                // An infinite difference from an infinite value is infinite, not undefined.
                double relative = absolute == Double.POSITIVE_INFINITY ? absolute : absolute / Math.abs(es[i]);
                if (relative > maxRelative) {
                    maxRelative = relative;
                    maxRelativeAt = at + i;
                }
            }
        }

        Report report(boolean exact) {
            return new Report(exact, rtol, atol, mismatched, notNumbers, actual.elements(), index(first), firstActual,
                    firstExpected, maxAbsolute, index(maxAbsoluteAt), maxRelative, index(maxRelativeAt));
        }

        private long[] index(long at) {
            return at < 0 ? null : actual.indexOf(at);
        }
    }

    /** Skips what is equal at the speed of memory, and looks closely at tiles that are not. */
    private static final class ExactScan extends Scan {

        ExactScan(Tensor actual, Tensor expected) {
            super(actual, expected, 0, 0);
        }

        @Override
        void tile(long at, long actualOffset, long expectedOffset, int n) {
            int size = actual.dtype().bytes();
            MemorySegment a = actual.segment().asSlice(actualOffset * size, (long) n * size);
            MemorySegment e = expected.segment().asSlice(expectedOffset * size, (long) n * size);
            if (a.mismatch(e) < 0) {
                return;
            }
            load(actualOffset, expectedOffset, n);
            for (int i = 0; i < n; i++) {
                if (a.asSlice((long) i * size, size).mismatch(e.asSlice((long) i * size, size)) >= 0) {
                    mismatch(at + i, as[i], es[i]);
                }
            }
            differences(at, n);
        }
    }
}
