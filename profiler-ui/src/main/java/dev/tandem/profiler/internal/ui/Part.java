package dev.tandem.profiler.internal.ui;

import dev.tandem.profiler.analysis.RankOverlap;
import java.awt.Color;
import java.util.function.ToLongFunction;

/**
 * A part of a rank's bar. The parts of a bar do not overlap and together are its window. The colours are those of Okabe
 * and Ito, which people with the usual kinds of colour blindness tell apart.
 */
enum Part {
    COMPUTING_ONLY("Computing only", 0x0072B2, RankOverlap::computingOnlyNs), OVERLAPPED("Overlapped", 0x009E73,
            RankOverlap::overlappedNs), EXPOSED("Exposed communication", 0xD55E00,
                    RankOverlap::exposedNs), COPYING_ONLY("Copying only", 0x56B4E9,
                            RankOverlap::copyingOnlyNs), WAITING_ONLY("Waiting only", 0xE69F00,
                                    RankOverlap::waitingOnlyNs), FREE("Free", 0, RankOverlap::freeNs);

    private static final Color FREE_ON_LIGHT = new Color(0xD3D7DB);
    private static final Color FREE_ON_DARK = new Color(0x5A5F64);

    private final String label;
    private final Color color;
    private final ToLongFunction<RankOverlap> lengthNs;

    Part(String label, int color, ToLongFunction<RankOverlap> lengthNs) {
        this.label = label;
        this.color = new Color(color);
        this.lengthNs = lengthNs;
    }

    String label() {
        return label;
    }

    long lengthNs(RankOverlap rank) {
        return lengthNs.applyAsLong(rank);
    }

    /** Copying and waiting have a place in the legend only if there is some; the four others always. */
    boolean isOptional() {
        return this == COPYING_ONLY || this == WAITING_ONLY;
    }

    Color color(boolean dark) {
        if (this == FREE) {
            return dark ? FREE_ON_DARK : FREE_ON_LIGHT;
        }
        return color;
    }
}
