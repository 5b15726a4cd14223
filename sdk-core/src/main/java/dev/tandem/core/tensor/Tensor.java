package dev.tandem.core.tensor;

import dev.tandem.core.Check;
import dev.tandem.core.UsageException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.StringJoiner;

/**
 * A shape over memory that somebody else owns.
 *
 * <p>Elements lie row-major. A view made by {@link #narrow} shares the memory and may have gaps between its rows, but the
 * elements of the last dimension are always neighbours, and the first element is always at byte 0 of {@link #segment()}.
 * Rank 0 is a scalar; a dimension may be 0 long.
 *
 * <p>The shape is immutable. The contents are as thread-safe as plain memory, that is: not; the memory lives as long as its
 * arena, and use after that is an {@link IllegalStateException}, never a crash.
 *
 * {@snippet :
 * Tensor c = Tensor.allocate(arena, DType.F16, 4096, 4096).fill(Double.NaN);
 * Tensor top = c.narrow(0, 0, 512);
 * MatrixView block = top.matrix().block(0, 0, 128, 256);
 * }
 */
public final class Tensor {

    /** Alignment of {@link #allocate allocated} tensors, in bytes: a cache line. */
    public static final long ALIGNMENT_BYTES = 64;

    private final MemorySegment segment;
    private final DType dtype;
    private final long[] shape;
    private final long[] strides;
    private final long elements;

    private Tensor(MemorySegment memory, DType dtype, long[] shape, long[] strides) {
        this.dtype = dtype;
        this.shape = shape;
        this.strides = strides;
        this.elements = elementsOf(shape);
        this.segment = memory.asSlice(0, spanOf(shape, strides) * dtype.bytes());
    }

    /**
     * Allocates a zeroed tensor.
     *
     * @param arena owns the memory
     * @param dtype the element type
     * @param shape sizes of the dimensions, each 0 or more
     * @return a contiguous tensor, aligned to {@link #ALIGNMENT_BYTES}
     */
    public static Tensor allocate(Arena arena, DType dtype, long... shape) {
        Check.notNull(arena, "arena");
        long bytes = bytesOf(Check.notNull(dtype, "dtype"), shape);
        return of(arena.allocate(bytes, ALIGNMENT_BYTES), dtype, shape);
    }

    /**
     * Gives memory a shape.
     *
     * @param memory holds the elements from its first byte; it may be larger than needed and needs no alignment
     * @param dtype the element type
     * @param shape sizes of the dimensions, each 0 or more
     * @return a contiguous tensor that shares the memory
     */
    public static Tensor of(MemorySegment memory, DType dtype, long... shape) {
        Check.notNull(memory, "memory");
        long bytes = bytesOf(Check.notNull(dtype, "dtype"), shape);
        if (bytes > memory.byteSize()) {
            throw new UsageException("memory too small: bytes=" + memory.byteSize() + ", " + describe(dtype, shape)
                    + " needs " + bytes + "; pass at least as many");
        }
        long[] own = shape.clone();
        return new Tensor(memory, dtype, own, rowMajor(own));
    }

    /**
     * Gives the element type.
     *
     * @return the type
     */
    public DType dtype() {
        return dtype;
    }

    /**
     * Gives the sizes of the dimensions.
     *
     * @return a copy, outermost dimension first
     */
    public long[] shape() {
        return shape.clone();
    }

    /**
     * Gives the distances of neighbours in each dimension.
     *
     * @return a copy, in elements, outermost dimension first
     */
    public long[] strides() {
        return strides.clone();
    }

    /**
     * Says how many dimensions there are.
     *
     * @return 0 for a scalar
     */
    public int rank() {
        return shape.length;
    }

    /**
     * Gives the size of one dimension.
     *
     * @param dim the dimension, outermost 0
     * @return its size in elements
     */
    public long size(int dim) {
        return shape[Check.index(dim, shape.length, "dim")];
    }

    /**
     * Says how many elements there are.
     *
     * @return the product of the sizes
     */
    public long elements() {
        return elements;
    }

    /**
     * Says how many bytes the elements take, without the gaps of a view.
     *
     * @return {@code elements() * dtype().bytes()}
     */
    public long byteSize() {
        return elements * dtype.bytes();
    }

    /**
     * Gives the memory, from the first element to the end of the last one; a view's gaps are inside.
     *
     * @return memory shared with this tensor
     */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * Says whether the elements lie without gaps.
     *
     * @return true if {@code segment().byteSize() == byteSize()}
     */
    public boolean isContiguous() {
        return contiguousFrom() == 0;
    }

    /**
     * Says whether another tensor has this one's shape.
     *
     * @param other the other tensor
     * @return true if all sizes are equal; types may differ
     */
    public boolean hasShapeOf(Tensor other) {
        return Arrays.equals(shape, Check.notNull(other, "other").shape);
    }

    /**
     * Narrows one dimension.
     *
     * @param dim the dimension, outermost 0
     * @param start first index kept
     * @param length how many are kept
     * @return a view of the same rank that shares this memory
     */
    public Tensor narrow(int dim, long start, long length) {
        Check.index(dim, shape.length, "dim");
        Check.range(start, length, shape[dim], "dimension " + dim);
        long[] sizes = shape.clone();
        sizes[dim] = length;
        long offset = elementsOf(sizes) == 0 ? 0 : start * strides[dim] * dtype.bytes();
        return new Tensor(segment.asSlice(offset), dtype, sizes, strides);
    }

    /**
     * Gives the same elements another shape.
     *
     * @param newShape sizes of the dimensions; their product must stay
     * @return a tensor that shares this memory
     * @throws UsageException if the number of elements differs or this is a view with gaps
     */
    public Tensor reshape(long... newShape) {
        bytesOf(dtype, newShape);
        Check.that(elementsOf(newShape) == elements, "cannot reshape: elements=" + elements + ", "
                + describe(dtype, newShape) + " has " + elementsOf(newShape) + "; keep the number of elements");
        Check.that(isContiguous(), "cannot reshape: " + this + " is a view with gaps, strides="
                + Arrays.toString(strides) + "; copy it to a tensor of its own first");
        return of(segment, dtype, newShape);
    }

    /**
     * Views the tensor as a matrix.
     *
     * @return rows and columns of a rank-2 tensor; a rank-1 tensor is one row
     * @throws UsageException for any other rank
     */
    public MatrixView matrix() {
        return switch (shape.length) {
            case 1 -> new MatrixView(segment, dtype, 0, 1, shape[0], shape[0]);
            case 2 -> new MatrixView(segment, dtype, 0, shape[0], shape[1], strides[0]);
            default -> throw new UsageException(
                    "not a matrix: " + this + ", rank=" + rank() + "; reshape it to two dimensions");
        };
    }

    /**
     * Copies another tensor's elements into this one, bit for bit if the types are equal, else rounded once to nearest
     * even. The two may overlap; the result is as if the source had been copied away first.
     *
     * @param source a tensor of the same shape
     * @return this
     * @throws UsageException if the shapes differ, or if this holds integers and the source another type
     */
    public Tensor copyFrom(Tensor source) {
        Check.notNull(source, "source");
        Check.that(hasShapeOf(source), "shapes differ: source=" + source + ", target=" + this
                + "; copy between equal shapes");
        if (elements == 0) {
            return this;
        }
        boolean plain = dtype == source.dtype && isContiguous() && source.isContiguous();
        if (!plain && segment.asOverlappingSlice(source.segment).isPresent()) {
            try (Arena arena = Arena.ofConfined()) {
                return copyRuns(allocate(arena, source.dtype, shape).copyRuns(source));
            }
        }
        return copyRuns(source);
    }

    private Tensor copyRuns(Tensor source) {
        Runs runs = new Runs(this, source);
        do {
            Conversions.convert(source.segment, source.dtype, runs.offset(1), segment, dtype, runs.offset(0),
                    runs.length());
        } while (runs.next());
        return this;
    }

    /**
     * Sets every element to one value, rounded once to nearest even.
     *
     * @param value the value; a whole number of the type's range if this holds integers
     * @return this
     */
    public Tensor fill(double value) {
        int size = dtype.bytes();
        MemorySegment pattern = MemorySegment.ofArray(new byte[Conversions.CHUNK * size]);
        for (int i = 0; i < Conversions.CHUNK; i++) {
            Conversions.set(pattern, dtype, i, value);
        }
        if (elements == 0) {
            return this;
        }
        Runs runs = new Runs(this);
        do {
            long bytes;
            for (long done = 0; done < runs.length() * size; done += bytes) {
                bytes = Math.min(pattern.byteSize(), runs.length() * size - done);
                MemorySegment.copy(pattern, 0, segment, runs.offset(0) * size + done, bytes);
            }
        } while (runs.next());
        return this;
    }

    /**
     * Reads one element.
     *
     * @param index one index for each dimension
     * @return its value; int64 beyond 2<sup>53</sup> is rounded
     */
    public double getDouble(long... index) {
        return Conversions.get(segment, dtype, offsetOf(index));
    }

    /**
     * Writes one element, rounded once to nearest even.
     *
     * @param value the value; a whole number of the type's range if this holds integers
     * @param index one index for each dimension
     */
    public void setDouble(double value, long... index) {
        Conversions.set(segment, dtype, offsetOf(index), value);
    }

    /**
     * Copies the elements out, in row-major order; fp64, int32 and int64 are rounded to {@code float}.
     *
     * @return a new array of {@link #elements()} values
     * @throws UsageException if there are more elements than an array can hold
     */
    public float[] toFloatArray() {
        int limit = Integer.MAX_VALUE - 8;
        Check.that(elements <= limit, "too many elements for an array: elements=" + elements + ", limit=" + limit
                + "; narrow the tensor first");
        float[] values = new float[(int) elements];
        if (elements > 0) {
            Runs runs = new Runs(this);
            int done = 0;
            do {
                int n = (int) runs.length();
                Conversions.toFloats(segment, dtype, runs.offset(0), values, done, n);
                done += n;
            } while (runs.next());
        }
        return values;
    }

    /** Type and shape, such as {@code Tensor[fp16 4096x4096]}. */
    @Override
    public String toString() {
        return "Tensor[" + describe(dtype, shape) + "]";
    }

    /** Describes a type and shape for messages, such as {@code fp16 4096x4096}. */
    static String describe(DType dtype, long[] shape) {
        StringJoiner sizes = new StringJoiner("x", dtype + " ", "").setEmptyValue(dtype + " scalar");
        for (long size : shape) {
            sizes.add(Long.toString(size));
        }
        return sizes.toString();
    }

    /** The first dimension from which on the elements lie without gaps; 0 if all do. */
    int contiguousFrom() {
        long expected = 1;
        for (int dim = shape.length - 1; dim >= 0; dim--) {
            if (shape[dim] != 1 && strides[dim] != expected && elements > 0) {
                return dim + 1;
            }
            expected *= shape[dim];
        }
        return 0;
    }

    /** Index of the element that comes {@code flat}-th in row-major order. */
    long[] indexOf(long flat) {
        long[] index = new long[shape.length];
        for (int dim = shape.length - 1; dim >= 0; dim--) {
            index[dim] = flat % shape[dim];
            flat /= shape[dim];
        }
        return index;
    }

    long strideOf(int dim) {
        return strides[dim];
    }

    private long offsetOf(long[] index) {
        Check.notNull(index, "index");
        Check.that(index.length == shape.length, "wrong number of indices: indices=" + index.length + ", rank="
                + shape.length + "; pass one for each dimension of " + this);
        long offset = 0;
        for (int dim = 0; dim < shape.length; dim++) {
            offset += Check.index(index[dim], shape[dim], "index") * strides[dim];
        }
        return offset;
    }

    private static long[] rowMajor(long[] shape) {
        long[] strides = new long[shape.length];
        long stride = 1;
        for (int dim = shape.length - 1; dim >= 0; dim--) {
            strides[dim] = stride;
            stride *= Math.max(1, shape[dim]);
        }
        return strides;
    }

    private static long spanOf(long[] shape, long[] strides) {
        long span = 1;
        for (int dim = 0; dim < shape.length; dim++) {
            if (shape[dim] == 0) {
                return 0;
            }
            span += (shape[dim] - 1) * strides[dim];
        }
        return span;
    }

    private static long elementsOf(long[] shape) {
        long elements = 1;
        for (long size : shape) {
            elements *= size;
        }
        return elements;
    }

    /** Checks a shape and gives its size in bytes; sizes are checked as if no dimension were 0 long. */
    private static long bytesOf(DType dtype, long[] shape) {
        Check.notNull(shape, "shape");
        long bytes = dtype.bytes();
        for (long size : shape) {
            Check.that(size >= 0, "negative size: shape=" + Arrays.toString(shape) + "; pass sizes of 0 or more");
            try {
                bytes = Math.multiplyExact(bytes, Math.max(1, size));
            } catch (ArithmeticException e) {
                throw new UsageException("too large: " + describe(dtype, shape) + ", limit=" + Long.MAX_VALUE
                        + " bytes; pass smaller sizes", e);
            }
        }
        return elementsOf(shape) * dtype.bytes();
    }
}
