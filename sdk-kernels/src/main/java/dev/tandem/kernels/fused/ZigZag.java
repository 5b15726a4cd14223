package dev.tandem.kernels.fused;

import dev.tandem.core.Check;

/**
 * The order in which the tiles of a product are computed (KERNELS 1.5, map Z): groups of {@value #GROUP_COLS} tile columns,
 * walked row by row, downwards in one group and upwards in the next, so that tiles computed at the same time share rows of
 * the left and columns of the right factor.
 *
 * <p>A bijection from 0 to {@code tiles() - 1} to the tiles.
 *
 * @param tileRows number of tile rows
 * @param tileCols number of tile columns
 */
record ZigZag(int tileRows, int tileCols) {

    /** Tile columns of a group; the last group may be narrower. */
    static final int GROUP_COLS = 7;

    ZigZag {
        Check.positive(tileRows, "tileRows");
        Check.positive(tileCols, "tileCols");
    }

    /** Counts the tiles. */
    int tiles() {
        return Math.multiplyExact(tileRows, tileCols);
    }

    /** Gives the tile row of the index-th tile. */
    int row(int index) {
        int group = group(index);
        int down = inGroup(index) / width(group);
        return group % 2 == 0 ? down : tileRows - 1 - down;
    }

    /** Gives the tile column of the index-th tile. */
    int col(int index) {
        int group = group(index);
        return GROUP_COLS * group + inGroup(index) % width(group);
    }

    private int group(int index) {
        return index / (GROUP_COLS * tileRows);
    }

    private int inGroup(int index) {
        return index % (GROUP_COLS * tileRows);
    }

    private int width(int group) {
        return Math.min(GROUP_COLS, tileCols - GROUP_COLS * group);
    }
}
