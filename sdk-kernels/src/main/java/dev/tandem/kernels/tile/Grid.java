package dev.tandem.kernels.tile;

import dev.tandem.core.Check;

/**
 * How many programs a launch has and which parts of their cores run.
 *
 * <p>All parts of a launch are resident at the same time, so a part may wait for any other. A launch has
 * {@code programs} parts of each kind that takes part.
 *
 * @param programs number of programs, at least 1
 * @param cube whether each program runs on its core's {@link Part#CUBE}
 * @param vector whether each program runs on its core's {@link Part#VECTOR}
 */
public record Grid(int programs, boolean cube, boolean vector) {

    /** The most programs a launch may have; each part owns a thread. */
    public static final int MAX_PROGRAMS = 4096;

    /** Checks the grid. */
    public Grid {
        Check.positive(programs, "programs");
        Check.that(programs <= MAX_PROGRAMS,
                "too many programs: programs=" + programs + ", limit=" + MAX_PROGRAMS + "; let a program loop instead");
        Check.that(cube || vector, "empty grid: cube=false, vector=false; let at least one part run");
    }

    /**
     * Gives a grid whose programs run twice at the same time, as CUBE and as VECTOR part.
     *
     * @param programs number of programs
     * @return the grid
     */
    public static Grid mixed(int programs) {
        return new Grid(programs, true, true);
    }

    /**
     * Gives a grid of CUBE parts only.
     *
     * @param programs number of programs
     * @return the grid
     */
    public static Grid cube(int programs) {
        return new Grid(programs, true, false);
    }

    /**
     * Gives a grid of VECTOR parts only.
     *
     * @param programs number of programs
     * @return the grid
     */
    public static Grid vector(int programs) {
        return new Grid(programs, false, true);
    }

    /**
     * Counts the parts, each of which is a thread of the launch.
     *
     * @return {@code programs} or twice as many
     */
    public int parts() {
        return cube && vector ? 2 * programs : programs;
    }
}
