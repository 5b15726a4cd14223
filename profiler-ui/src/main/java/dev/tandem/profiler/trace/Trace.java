package dev.tandem.profiler.trace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * A trace as it was read: its lanes, and what the reader skipped, repaired or did not know. Immutable.
 *
 * @param title what to call it, as the name of its file
 * @param lanes its lanes, in the order of the file
 * @param notes what was skipped, repaired or unknown, with how often; empty if all was read
 */
public record Trace(String title, List<Lane> lanes, SequencedMap<String, Long> notes) {

    /**
     * Makes a trace.
     *
     * @param title what to call it
     * @param lanes its lanes
     * @param notes what was skipped, repaired or unknown, with how often
     */
    public Trace {
        lanes = List.copyOf(lanes);
        notes = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(notes));
    }

    /**
     * Counts the slices of all lanes.
     *
     * @return the number of slices
     */
    public long slices() {
        return lanes.stream().mapToLong(Lane::size).sum();
    }

    /**
     * Groups the lanes by rank.
     *
     * @return lanes by the label of their rank, labels sorted so that {@code rank 2} comes before {@code rank 10}
     */
    public SequencedMap<String, List<Lane>> ranks() {
        TreeMap<String, List<Lane>> byRank = new TreeMap<>(RankOrder.INSTANCE);
        for (Lane lane : lanes) {
            byRank.computeIfAbsent(lane.rank(), rank -> new ArrayList<>()).add(lane);
        }
        for (Map.Entry<String, List<Lane>> entry : byRank.entrySet()) {
            entry.setValue(List.copyOf(entry.getValue()));
        }
        return Collections.unmodifiableSequencedMap(byRank);
    }
}
