package dev.tandem.kernels.tile;

import dev.tandem.core.tensor.DType;

/**
 * A small two-dimensional block of values held by a core.
 *
 * <p>A tile has a nominal size, which the kernel is written for, and a valid size, which is smaller where a tensor ends
 * inside the tile. Values outside the valid part count as zero in every operation and are never stored, so a kernel
 * treats an edge tile like any other.
 *
 * <p>A tile that {@link Core#load} gave is a view of the memory it was loaded from: it costs nothing, and it shows what
 * the memory holds when the tile is used. Nobody may overwrite that memory before the tile's last use; the protocol that
 * made the load legal (a token) is the protocol that makes this so. A computed tile ({@link Core#zeros} and everything
 * that returns a result) lives in the core's on-chip memory until {@link Core#release}.
 *
 * <p>A tile belongs to one part of one program; using it elsewhere, after its release or after the kernel has ended is an
 * error.
 */
public interface Tile {

    /**
     * Gives the nominal height.
     *
     * @return rows the kernel asked for
     */
    int rows();

    /**
     * Gives the nominal width.
     *
     * @return columns the kernel asked for
     */
    int cols();

    /**
     * Gives the height of the part that holds values.
     *
     * @return 0 to {@link #rows()}
     */
    int validRows();

    /**
     * Gives the width of the part that holds values.
     *
     * @return 0 to {@link #cols()}
     */
    int validCols();

    /**
     * Gives the element type.
     *
     * @return the type
     */
    DType dtype();

    /**
     * Reads one value. Slow: for decisions on single values, tests and debuggers.
     *
     * @param row 0 to {@code rows() - 1}
     * @param col 0 to {@code cols() - 1}
     * @return the value; 0 outside the valid part
     * @throws dev.tandem.core.UsageException if the index is out of range or the tile was released
     */
    double get(int row, int col);
}
