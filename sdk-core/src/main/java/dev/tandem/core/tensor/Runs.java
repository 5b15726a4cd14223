package dev.tandem.core.tensor;

/**
 * Walks tensors of one shape together, in row-major order, by runs of elements that are neighbours in every one of them.
 * The tensors must not be empty. Confined to one thread.
 */
final class Runs {

    private final Tensor[] tensors;
    private final long[] offsets;
    private final long[] index;
    private final int outer;
    private final long length;
    private long first;

    Runs(Tensor... tensors) {
        this.tensors = tensors;
        this.offsets = new long[tensors.length];
        int from = 0;
        for (Tensor tensor : tensors) {
            from = Math.max(from, tensor.contiguousFrom());
        }
        this.outer = from;
        this.index = new long[from];
        long run = 1;
        for (int dim = from; dim < tensors[0].rank(); dim++) {
            run *= tensors[0].size(dim);
        }
        this.length = run;
    }

    /** Elements of every run. */
    long length() {
        return length;
    }

    /** Where the current run starts in one tensor's segment, in elements. */
    long offset(int tensor) {
        return offsets[tensor];
    }

    /** How many elements came before the current run, in row-major order. */
    long first() {
        return first;
    }

    /** Goes on to the next run; false if there is none. */
    boolean next() {
        for (int dim = outer - 1; dim >= 0; dim--) {
            if (++index[dim] < tensors[0].size(dim)) {
                move(dim, 1);
                first += length;
                return true;
            }
            move(dim, 1 - index[dim]);
            index[dim] = 0;
        }
        return false;
    }

    private void move(int dim, long steps) {
        for (int i = 0; i < tensors.length; i++) {
            offsets[i] += steps * tensors[i].strideOf(dim);
        }
    }
}
