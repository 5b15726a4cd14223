package dev.tandem.profiler.analysis;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Says what the figures mean, in one sentence. */
public final class Verdict {

    private Verdict() {
    }

    /**
     * Says how much communication was hidden, and where most of it was not.
     *
     * @param ranks the ranks of a trace
     * @return one sentence in English
     */
    public static String of(List<RankOverlap> ranks) {
        if (ranks.isEmpty()) {
            return "Nothing in this trace is known as computing or communication.";
        }
        long communicationNs = ranks.stream().mapToLong(RankOverlap::communicationNs).sum();
        long computingNs = ranks.stream().mapToLong(RankOverlap::computingNs).sum();
        if (communicationNs == 0) {
            return computingNs == 0
                    ? "Nothing computes or communicates in this trace."
                    : "No communication in this trace: there is nothing to hide.";
        }
        long overlappedNs = ranks.stream().mapToLong(RankOverlap::overlappedNs).sum();
        String hidden = percent((double) overlappedNs / communicationNs) + " of communication is hidden";
        RankOverlap worst = ranks.stream().max(Comparator.comparingLong(RankOverlap::exposedNs)).orElseThrow();
        if (worst.exposedNs() == 0) {
            return hidden + ".";
        }
        return ranks.size() == 1
                ? hidden + "; " + milliseconds(worst.exposedNs()) + " of it are exposed."
                : hidden + "; " + worst.rank() + " has the most exposed, " + milliseconds(worst.exposedNs()) + ".";
    }

    /**
     * Writes a share.
     *
     * @param share from 0 to 1
     * @return percent, as {@code 62.1 %}; never rounded up to 100 or down to 0
     */
    public static String percent(double share) {
        double tenths = Math.rint(share * 1000);
        if (tenths == 1000 && share < 1) {
            return "over 99.9 %";
        }
        if (tenths == 0 && share > 0) {
            return "under 0.1 %";
        }
        return String.format(Locale.ROOT, "%.1f %%", tenths / 10);
    }

    /**
     * Writes a length of time.
     *
     * @param ns nanoseconds
     * @return milliseconds to the microsecond, as {@code 1.800 ms}
     */
    public static String milliseconds(long ns) {
        return String.format(Locale.ROOT, "%.3f ms", ns / 1e6);
    }
}
