package dev.tandem.core.internal.world;

import java.util.Locale;

/** Durations in messages. Stateless. */
final class Durations {

    private Durations() {
    }

    /** Writes as {@code 60 s}, {@code 1.5 s} or {@code 250 ms}. */
    static String text(long ns) {
        if (ns < 1_000_000_000L) {
            return ns / 1_000_000 + " ms";
        }
        long tenths = (ns + 50_000_000L) / 100_000_000L;
        return tenths % 10 == 0
                ? tenths / 10 + " s"
                : String.format(Locale.ROOT, "%d.%d s", tenths / 10, tenths % 10);
    }
}
