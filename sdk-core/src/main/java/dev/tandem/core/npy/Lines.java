package dev.tandem.core.npy;

import dev.tandem.core.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Walks a tensor, which must not be empty, in the order of a file: by lines of elements at equal distances, as long as they can be.
 * All numbers are in elements. Confined to one thread.
 */
final class Lines {

    private final long[] sizes;
    private final long[] strides;
    private final long[] index;
    private final int outer;
    private final long stride;
    private final long length;
    private long offset;

    /**
     * Starts at the first line.
     *
     * @param tensor what is walked
     * @param fortran whether the first index runs fastest in the file, and not the last
     */
    Lines(Tensor tensor, boolean fortran) {
        int rank = tensor.rank();
        long[] allStrides = tensor.strides();
        long[] fastFirst = new long[rank];
        long[] steps = new long[rank];
        int dims = 0;
        for (int i = 0; i < rank; i++) {
            int dim = fortran ? i : rank - 1 - i;
            if (tensor.size(dim) > 1) {
                fastFirst[dims] = tensor.size(dim);
                steps[dims++] = allStrides[dim];
            }
        }
        this.sizes = Arrays.copyOf(fastFirst, dims);
        this.strides = Arrays.copyOf(steps, dims);
        this.index = new long[dims];
        this.stride = dims == 0 ? 1 : strides[0];
        long run = dims == 0 ? 1 : sizes[0];
        int dim = 1;
        while (dim < dims && strides[dim] == stride * run) {
            run *= sizes[dim++];
        }
        this.length = run;
        this.outer = dim;
    }

    /** Elements of every line. */
    long length() {
        return length;
    }

    /** Distance of two elements of a line in the tensor's segment. */
    long stride() {
        return stride;
    }

    /** Where the current line begins in the tensor's segment. */
    long offset() {
        return offset;
    }

    /** Goes on to the next line; false if there is none. */
    boolean next() {
        for (int dim = outer; dim < sizes.length; dim++) {
            offset += strides[dim];
            if (++index[dim] < sizes[dim]) {
                return true;
            }
            offset -= sizes[dim] * strides[dim];
            index[dim] = 0;
        }
        return false;
    }

    /** Copies elements between two lines, all positions and strides in bytes, with their bytes reversed if asked for. */
    static void copy(MemorySegment from, long fromAt, long fromStride, MemorySegment to, long toAt, long toStride,
            long count, int size, boolean swap) {
        if (fromStride == size && toStride == size && !swap) {
            MemorySegment.copy(from, fromAt, to, toAt, count * size);
            return;
        }
        switch (size) {
            case Short.BYTES -> {
                for (long i = 0; i < count; i++) {
                    short bits = from.get(ValueLayout.JAVA_SHORT_UNALIGNED, fromAt + i * fromStride);
                    to.set(ValueLayout.JAVA_SHORT_UNALIGNED, toAt + i * toStride,
                            swap ? Short.reverseBytes(bits) : bits);
                }
            }
            case Integer.BYTES -> {
                for (long i = 0; i < count; i++) {
                    int bits = from.get(ValueLayout.JAVA_INT_UNALIGNED, fromAt + i * fromStride);
                    to.set(ValueLayout.JAVA_INT_UNALIGNED, toAt + i * toStride,
                            swap ? Integer.reverseBytes(bits) : bits);
                }
            }
            default -> {
                for (long i = 0; i < count; i++) {
                    long bits = from.get(ValueLayout.JAVA_LONG_UNALIGNED, fromAt + i * fromStride);
                    to.set(ValueLayout.JAVA_LONG_UNALIGNED, toAt + i * toStride, swap ? Long.reverseBytes(bits) : bits);
                }
            }
        }
    }
}
