package dev.tandem.kernels.fused;

import dev.tandem.core.Check;

/**
 * The order in which the pieces of a matrix are exchanged with all ranks (KERNELS 1.5, map X): every piece with every rank
 * once, and at any moment neighbouring pieces with different ranks, so that the links carry equal loads.
 *
 * <p>A bijection from 0 to {@code tasks() - 1} to pairs of piece and peer.
 *
 * @param ranks number of ranks
 * @param pieceRows number of rows of pieces
 * @param pieceCols number of columns of pieces
 */
record PeerOrder(int ranks, int pieceRows, int pieceCols) {

    PeerOrder {
        Check.positive(ranks, "ranks");
        Check.positive(pieceRows, "pieceRows");
        Check.positive(pieceCols, "pieceCols");
    }

    /** Counts the pairs of piece and peer. */
    int tasks() {
        return Math.multiplyExact(ranks, pieces());
    }

    private int pieces() {
        return Math.multiplyExact(pieceRows, pieceCols);
    }

    /** Gives the other rank of the index-th exchange; it may be the own one. */
    int peer(int index) {
        return (index / pieces() + index % pieces()) % ranks;
    }

    /** Gives the row of the piece of the index-th exchange, in pieces. */
    int row(int index) {
        return index % pieces() / pieceCols;
    }

    /** Gives the column of the piece of the index-th exchange, in pieces. */
    int col(int index) {
        return index % pieces() % pieceCols;
    }
}
