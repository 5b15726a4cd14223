package dev.tandem.kernels.internal.runtime;

import dev.tandem.core.Check;
import dev.tandem.core.tensor.Conversions;
import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.MatrixView;
import dev.tandem.kernels.tile.Tile;

/**
 * A tile of a host core: a view of global memory, or a block of the core's on-chip memory.
 *
 * <p>The memory of an on-chip tile holds its nominal size, and zeros wherever it is not valid, so that its valid part may
 * grow. Confined to the thread of its core.
 */
final class HostTile implements Tile {

    private final HostCore owner;
    private final long launch;
    private final long serial;
    private final boolean onChip;
    private final int rows;
    private final int cols;
    private final MatrixView memory;
    private MatrixView valid;

    /** Makes a loaded tile: {@code valid} is all that exists of it. */
    static HostTile loaded(HostCore owner, long launch, long serial, MatrixView valid, int rows, int cols) {
        return new HostTile(owner, launch, serial, false, valid, valid, rows, cols);
    }

    /** Makes an on-chip tile: {@code memory} is of its nominal size. */
    static HostTile onChip(HostCore owner, long launch, long serial, MatrixView memory, long validRows,
            long validCols) {
        HostTile tile = new HostTile(owner, launch, serial, true, memory, memory, (int) memory.rows(),
                (int) memory.cols());
        tile.setValid(validRows, validCols);
        return tile;
    }

    private HostTile(HostCore owner, long launch, long serial, boolean onChip, MatrixView memory, MatrixView valid,
            int rows, int cols) {
        this.owner = owner;
        this.launch = launch;
        this.serial = serial;
        this.onChip = onChip;
        this.memory = memory;
        this.valid = valid;
        this.rows = rows;
        this.cols = cols;
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public int cols() {
        return cols;
    }

    @Override
    public int validRows() {
        return (int) valid.rows();
    }

    @Override
    public int validCols() {
        return (int) valid.cols();
    }

    @Override
    public DType dtype() {
        return memory.dtype();
    }

    @Override
    public double get(int row, int col) {
        owner.requireUsable(this);
        Check.index(row, rows, "row of tile");
        Check.index(col, cols, "column of tile");
        if (row >= validRows() || col >= validCols()) {
            return 0;
        }
        double[] value = new double[1];
        Conversions.toDoubles(valid.segment(), dtype(), valid.offset() + row * valid.rowStride() + col, value, 0, 1);
        return value[0];
    }

    HostCore owner() {
        return owner;
    }

    long launch() {
        return launch;
    }

    long serial() {
        return serial;
    }

    boolean isOnChip() {
        return onChip;
    }

    /** Gives the values there are. */
    MatrixView valid() {
        return valid;
    }

    /** Gives the memory of the whole nominal size of an on-chip tile. */
    MatrixView memory() {
        return memory;
    }

    /** Changes which part of an on-chip tile holds values; the memory outside must be zero. */
    void setValid(long validRows, long validCols) {
        if (validRows != valid.rows() || validCols != valid.cols()) {
            valid = Blocks.clip(memory, 0, 0, validRows, validCols);
        }
    }

    @Override
    public String toString() {
        return rows + "x" + cols + " " + dtype() + (onChip ? " on chip" : " loaded") + ", valid " + validRows() + "x"
                + validCols();
    }
}
