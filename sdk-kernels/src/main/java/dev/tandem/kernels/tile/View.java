package dev.tandem.kernels.tile;

import dev.tandem.core.tensor.DType;

/**
 * A matrix in global memory that a core may read: a tensor of its own, or a block of a peer's memory that a token proved
 * ready. Immutable; any part of the launch may use it.
 *
 * <p>Its shape is what edge tiles are clipped by. Narrow a view to the rows that belong together ({@link #rowRange}) and
 * no load can run into the neighbour's rows.
 */
public interface View {

    /**
     * Gives the height.
     *
     * @return rows
     */
    long rows();

    /**
     * Gives the width.
     *
     * @return columns
     */
    long cols();

    /**
     * Gives the element type.
     *
     * @return the type
     */
    DType dtype();

    /**
     * Narrows the view to some of its rows; all must exist.
     *
     * @param first first row
     * @param count number of rows
     * @return the rows, sharing this memory
     * @throws dev.tandem.core.UsageException if the rows do not lie inside
     */
    View rowRange(long first, long count);

    /**
     * Narrows the view to the part of a block that lies inside it, as {@link Core#load} does.
     *
     * @param row first row, 0 to {@code rows()}
     * @param col first column, 0 to {@code cols()}
     * @param blockRows rows of the block
     * @param blockCols columns of the block
     * @return the part of the block that exists, perhaps empty, sharing this memory
     * @throws dev.tandem.core.UsageException if the block starts outside or a size is negative
     */
    View block(long row, long col, long blockRows, long blockCols);
}
