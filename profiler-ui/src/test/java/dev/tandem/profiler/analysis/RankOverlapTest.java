package dev.tandem.profiler.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.profiler.trace.Category;
import dev.tandem.profiler.trace.Lane;
import dev.tandem.profiler.trace.Trace;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

class RankOverlapTest {

    @Test
    void lanesThatRunSideBySideCountOnce() {
        Lane one = Lane.of("rank 0", "p", "a").add(0, 100, "k", Category.COMPUTING).build();
        Lane two = Lane.of("rank 0", "p", "b")
                .add(50, 100, "k", Category.COMPUTING)
                .add(120, 80, "c", Category.COMMUNICATION)
                .build();
        Lane three = Lane.of("rank 0", "p", "c")
                .add(190, 40, "m", Category.COPYING)
                .add(220, 30, "w", Category.WAITING)
                .add(300, 10, "k", Category.COMPUTING)
                .build();
        RankOverlap rank = RankOverlap.of(trace(one, two, three)).getFirst();
        assertThat(rank).isEqualTo(new RankOverlap("rank 0", 310, 160, 80, 30, 50, 40, 30, 30, 20, 50));
        assertThat(rank.hiddenShare()).hasValue(0.375);
        assertThat(rank.computingOnlyNs() + rank.overlappedNs() + rank.exposedNs() + rank.copyingOnlyNs()
                + rank.waitingOnlyNs() + rank.freeNs()).isEqualTo(rank.windowNs());
    }

    @Test
    void ranksComeInTheOrderOfTheirNumbers() {
        Trace trace = trace(Lane.of("rank 10", "p", "t").add(0, 5, "k", Category.COMMUNICATION).build(),
                Lane.of("rank 2", "p", "t").add(0, 7, "k", Category.COMMUNICATION).build(),
                Lane.of("host", "p", "t").add(0, 5, "k", Category.OTHER).build());
        assertThat(RankOverlap.of(trace)).extracting(RankOverlap::rank).containsExactly("rank 2", "rank 10");
        assertThat(Verdict.of(RankOverlap.of(trace)))
                .isEqualTo("0.0 % of communication is hidden; rank 2 has the most exposed, 0.000 ms.");
    }

    @Test
    void verdictsSayWhatIsMissing() {
        assertThat(Verdict.of(List.of())).contains("Nothing in this trace is known");
        assertThat(Verdict.of(RankOverlap.of(trace(
                Lane.of("rank 0", "p", "t").add(0, 5, "k", Category.COMPUTING).build()))))
                .contains("No communication in this trace");
        assertThat(Verdict.percent(0.99999)).isEqualTo("over 99.9 %");
        assertThat(Verdict.percent(0.00001)).isEqualTo("under 0.1 %");
    }

    private static Trace trace(Lane... lanes) {
        return new Trace("test", List.of(lanes), new LinkedHashMap<>());
    }
}
