package dev.tandem.profiler.internal.chrome;

import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** Counts what was skipped, repaired or unknown. */
final class Notes {

    private static final int KINDS = 64;

    private final SequencedMap<String, Long> counts = new LinkedHashMap<>();

    void count(String what) {
        String kind = counts.containsKey(what) || counts.size() < KINDS ? what : "events of yet other kinds, skipped";
        counts.merge(kind, 1L, Long::sum);
    }

    SequencedMap<String, Long> counts() {
        return counts;
    }
}
