package dev.tandem.core.tensor;

import dev.tandem.core.Check;
import dev.tandem.core.UsageException;
import java.lang.foreign.MemorySegment;

/**
 * A two-dimensional, row-major view of memory: element (r, c) lies {@code offset + r * rowStride + c} elements from the
 * start of the segment. It owns nothing; it is as thread-safe and as alive as its segment.
 *
 * @param segment the memory
 * @param dtype the element type
 * @param offset first element, in elements from the start of the segment
 * @param rows number of rows
 * @param cols number of columns
 * @param rowStride distance of two rows, in elements
 */
public record MatrixView(MemorySegment segment, DType dtype, long offset, long rows, long cols, long rowStride) {

    /** Checks that every element lies inside the segment. */
    public MatrixView {
        Check.notNull(segment, "segment");
        Check.notNull(dtype, "dtype");
        Check.notNegative(offset, "offset");
        Check.notNegative(rows, "rows");
        Check.notNegative(cols, "cols");
        if (rows > 1 && rowStride < cols) { // Not Check.that: kernels make views by the million, the text only here.
            throw new UsageException(
                    "rows overlap: rowStride=" + rowStride + ", cols=" + cols + "; make the stride at least the width");
        }
        if (rows > 0 && cols > 0) {
            long elements = segment.byteSize() / dtype.bytes();
            Check.range(offset, Math.addExact(Math.multiplyExact(rows - 1, rowStride), cols), elements, "matrix view");
        }
    }

    /**
     * Narrows the view to a block.
     *
     * @param row first row
     * @param col first column
     * @param blockRows rows of the block
     * @param blockCols columns of the block
     * @return the block, which shares this memory
     */
    public MatrixView block(long row, long col, long blockRows, long blockCols) {
        Check.range(row, blockRows, rows, "rows of block");
        Check.range(col, blockCols, cols, "columns of block");
        return new MatrixView(segment, dtype, offset + row * rowStride + col, blockRows, blockCols, rowStride);
    }

    /**
     * Gives the distance of an element from the start of the segment.
     *
     * @param row the row
     * @param col the column
     * @return bytes from the start of the segment
     */
    public long byteOffset(long row, long col) {
        return (offset + row * rowStride + col) * dtype.bytes();
    }
}
