package dev.tandem.kernels.tile;

import dev.tandem.core.tensor.DType;

/**
 * A matrix in global memory that a core may write: a tensor of its own, or memory of a peer that the kernel's protocol
 * says is free. Immutable; any part of the launch may use it. Cores that write one target at the same time write
 * different elements.
 *
 * <p>Its shape is what stores are clipped by: narrow it to the rows that belong together and an edge tile cannot spill
 * into the neighbour's rows.
 */
public interface Target {

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
     * Narrows the target to some of its rows; all must exist.
     *
     * @param first first row
     * @param count number of rows
     * @return the rows, sharing this memory
     * @throws dev.tandem.core.UsageException if the rows do not lie inside
     */
    Target rowRange(long first, long count);

    /**
     * Narrows the target to the part of a block that lies inside it, as {@link Core#store} does.
     *
     * @param row first row, 0 to {@code rows()}
     * @param col first column, 0 to {@code cols()}
     * @param blockRows rows of the block
     * @param blockCols columns of the block
     * @return the part of the block that exists, perhaps empty, sharing this memory
     * @throws dev.tandem.core.UsageException if the block starts outside or a size is negative
     */
    Target block(long row, long col, long blockRows, long blockCols);
}
