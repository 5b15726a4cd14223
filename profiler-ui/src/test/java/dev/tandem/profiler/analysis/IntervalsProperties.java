package dev.tandem.profiler.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Intervals do what a bit for every nanosecond does. */
class IntervalsProperties {

    private static final int END = 120;

    @Property
    void operationsAgreeWithBits(@ForAll("spans") List<long[]> a, @ForAll("spans") List<long[]> b) {
        Intervals left = set(a);
        Intervals right = set(b);
        check(left, bits(a));
        BitSet or = bits(a);
        or.or(bits(b));
        check(left.or(right), or);
        BitSet and = bits(a);
        and.and(bits(b));
        check(left.and(right), and);
        BitSet minus = bits(a);
        minus.andNot(bits(b));
        check(left.minus(right), minus);
    }

    @Provide
    Arbitrary<List<long[]>> spans() {
        Arbitrary<Long> starts = Arbitraries.longs().between(0, END - 20);
        Arbitrary<Long> lengths = Arbitraries.longs().between(0, 20);
        return Combinators.combine(starts, lengths)
                .as((start, length) -> new long[]{start, start + length})
                .list()
                .ofMaxSize(24);
    }

    private static Intervals set(List<long[]> spans) {
        Intervals.Builder builder = Intervals.builder();
        spans.forEach(span -> builder.add(span[0], span[1]));
        return builder.build();
    }

    private static BitSet bits(List<long[]> spans) {
        BitSet bits = new BitSet();
        spans.forEach(span -> bits.set((int) span[0], (int) span[1]));
        return bits;
    }

    private static void check(Intervals set, BitSet bits) {
        assertThat(set.lengthNs()).isEqualTo(bits.cardinality());
        int at = 0;
        for (int i = 0; i < set.size(); i++) {
            int start = bits.nextSetBit(at);
            at = bits.nextClearBit(start);
            assertThat(set.startNs(i)).isEqualTo(start);
            assertThat(set.endNs(i)).isEqualTo(at);
        }
        assertThat(bits.nextSetBit(at)).isEqualTo(-1);
        assertThat(set.spanNs()).isEqualTo(bits.isEmpty() ? 0 : bits.length() - bits.nextSetBit(0));
    }
}
