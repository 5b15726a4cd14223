package dev.tandem.profiler.analysis;

import dev.tandem.profiler.trace.Category;
import dev.tandem.profiler.trace.Lane;
import dev.tandem.profiler.trace.Trace;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * How one rank spent its time. With C, M, K and W the unions of its computing, communication, copying and waiting slices,
 * and |X| the length of X:
 *
 * @param rank the label of the rank
 * @param windowNs from the first start to the last end of C ∪ M ∪ K ∪ W
 * @param computingNs |C|
 * @param communicationNs |M|
 * @param overlappedNs |C ∩ M|
 * @param exposedNs |M \ C|, the communication that nothing hid
 * @param copyingNs |K|
 * @param copyingOnlyNs |K \ (C ∪ M)|
 * @param waitingNs |W|
 * @param waitingOnlyNs |W \ (C ∪ M ∪ K)|, the pure wait
 * @param freeNs the window without C ∪ M ∪ K ∪ W
 */
public record RankOverlap(String rank, long windowNs, long computingNs, long communicationNs, long overlappedNs,
        long exposedNs, long copyingNs, long copyingOnlyNs, long waitingNs, long waitingOnlyNs, long freeNs) {

    /**
     * Analyses every rank of a trace.
     *
     * @param trace the trace
     * @return one result for each rank that computes, communicates, copies or waits, by rank; empty if none does
     */
    public static List<RankOverlap> of(Trace trace) {
        List<RankOverlap> ranks = new ArrayList<>();
        for (Map.Entry<String, List<Lane>> entry : trace.ranks().entrySet()) {
            Map<Category, Intervals> unions = unions(entry.getValue());
            if (!unions.isEmpty()) {
                ranks.add(of(entry.getKey(), unions));
            }
        }
        return List.copyOf(ranks);
    }

    private static Map<Category, Intervals> unions(List<Lane> lanes) {
        Map<Category, Intervals.Builder> builders = new EnumMap<>(Category.class);
        for (Lane lane : lanes) {
            for (int i = 0; i < lane.size(); i++) {
                if (lane.category(i) != Category.OTHER) {
                    builders.computeIfAbsent(lane.category(i), category -> Intervals.builder())
                            .add(lane.startNs(i), lane.endNs(i));
                }
            }
        }
        Map<Category, Intervals> unions = new EnumMap<>(Category.class);
        builders.forEach((category, builder) -> unions.put(category, builder.build()));
        return unions;
    }

    private static RankOverlap of(String rank, Map<Category, Intervals> unions) {
        Intervals computing = unions.getOrDefault(Category.COMPUTING, Intervals.EMPTY);
        Intervals communication = unions.getOrDefault(Category.COMMUNICATION, Intervals.EMPTY);
        Intervals copying = unions.getOrDefault(Category.COPYING, Intervals.EMPTY);
        Intervals waiting = unions.getOrDefault(Category.WAITING, Intervals.EMPTY);
        Intervals active = computing.or(communication);
        Intervals busy = active.or(copying);
        Intervals all = busy.or(waiting);
        return new RankOverlap(rank, all.spanNs(), computing.lengthNs(), communication.lengthNs(),
                computing.and(communication).lengthNs(), communication.minus(computing).lengthNs(), copying.lengthNs(),
                copying.minus(active).lengthNs(), waiting.lengthNs(), waiting.minus(busy).lengthNs(),
                all.spanNs() - all.lengthNs());
    }

    /**
     * Gives the computing that ran without communication beside it.
     *
     * @return |C \ M| in nanoseconds
     */
    public long computingOnlyNs() {
        return computingNs - overlappedNs;
    }

    /**
     * Gives the share of communication that computing hid.
     *
     * @return overlapped / communication, from 0 to 1; empty if the rank does not communicate
     */
    public OptionalDouble hiddenShare() {
        return communicationNs == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) overlappedNs / communicationNs);
    }
}
