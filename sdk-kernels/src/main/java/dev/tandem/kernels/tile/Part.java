package dev.tandem.kernels.tile;

/**
 * The two halves of an AI core that a mixed kernel runs at the same time: both see the same program index, and both
 * meet at {@link Core#barrierAll()}.
 */
public enum Part {
    /** The matrix engine's half: {@link Core#dot} lives here. */
    CUBE,
    /** The half that moves and transforms data. */
    VECTOR
}
