package dev.tandem.core.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.UsageException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClosenessTest {

    private static Tensor of(double... values) {
        return Tensor.of(MemorySegment.ofArray(values), DType.F64, values.length);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, true", "1.001, 1, true", "1.0021, 1, false", "0.9981, 1, true", "0.9979, 1, false",
        "0.001, 0, true", "0.0011, 0, false", "-1, 1, false", "0, -0.0, true", "NaN, NaN, false", "NaN, 1, false",
        "1, NaN, false", "Infinity, Infinity, true", "-Infinity, -Infinity, true", "-Infinity, Infinity, false",
        "1, Infinity, false", "Infinity, 1, false", "1e308, -1e308, false", "1e-310, 1e-320, true"})
    void isWhatAssertCloseSays(double actual, double expected, boolean close) {
        Closeness.Report report = Closeness.compare(of(actual), of(expected), 1e-3, 1e-3);
        assertThat(report.close()).as(report.toString()).isEqualTo(close);
        assertThat(report.mismatched()).isEqualTo(close ? 0 : 1);
        assertThat(report.total()).isEqualTo(1);
    }

    @Test
    void theToleranceItselfIsClose() {
        assertThat(Closeness.compare(of(1.5), of(1), 0.25, 0.25).close()).isTrue();
        assertThat(Closeness.compare(of(Math.nextUp(1.5)), of(1), 0.25, 0.25).close()).isFalse();
        assertThat(Closeness.compare(of(1), of(1), 0, 0).close()).isTrue();
        assertThat(Closeness.compare(of(Math.nextUp(1.0)), of(1), 0, 0).close()).isFalse();
    }

    @Test
    void reportTellsCountFirstAndGreatest() {
        Tensor expected = Tensor.allocate(Arena.ofAuto(), DType.F32, 100, 100).fill(2);
        Tensor actual = Tensor.allocate(Arena.ofAuto(), DType.F16, 100, 100).fill(2);
        actual.setDouble(2.5, 3, 7);
        actual.setDouble(-6, 50, 99);
        expected.setDouble(0.25, 51, 0);
        expected.setDouble(0, 52, 0);
        actual.setDouble(Double.NaN, 99, 99);
        Closeness.Report report = Closeness.compare(actual, expected, 1e-3, 1e-3);
        assertThat(report.mismatched()).isEqualTo(5);
        assertThat(report.notNumbers()).isEqualTo(1);
        assertThat(report.firstIndex()).containsExactly(3, 7);
        assertThat(report.maxAbsolute()).isEqualTo(8);
        assertThat(report.maxAbsoluteIndex()).containsExactly(50, 99);
        assertThat(report.maxRelative()).isInfinite();
        assertThat(report.maxRelativeIndex()).containsExactly(52, 0);
        assertThat(report)
                .hasToString("5 of 10000 elements (under 0.1 %) differ (1 of them not a number), not equal within"
                        + " rtol=0.001, atol=0.001; first at [3, 7]: actual=2.5, expected=2.0; greatest absolute difference 8.0 at"
                        + " [50, 99], greatest relative difference Infinity at [52, 0]");
    }

    @Test
    void passingReportsTellTheGreatestDifference() {
        assertThat(Closeness.compare(of(1, 2.001), of(1, 2), 1e-2, 0).toString()).startsWith(
                "all 2 elements equal within rtol=0.01, atol=0.0; greatest absolute difference 9.99")
                .endsWith("at [1]");
        assertThat(Closeness.compare(of(1), of(1), 1e-3, 1e-3))
                .hasToString("all 1 elements equal within rtol=0.001, atol=0.001");
        assertThat(Closeness.compare(of(), of(), 1e-3, 1e-3).close()).isTrue();
        assertThat(Closeness.compare(of(5), of(1), 1e-3, 1e-3).toString())
                .startsWith("1 of 1 elements (100.0 %) differ");
        assertThat(Closeness.compare(of(Double.NaN), of(1), 1e-3, 1e-3)).hasToString("1 of 1 elements (100.0 %) differ"
                + " (1 of them not a number), not equal within rtol=0.001, atol=0.001; first at [0]: actual=NaN,"
                + " expected=1.0");
    }

    /** Against the definition, one element at a time, in views with gaps and over several tiles. */
    @Test
    void agreesWithTheDefinitionOnRandomData() {
        long seed = 11;
        SplittableRandom random = new SplittableRandom(seed);
        Tensor expected = RandomTensors.normal(Tensor.allocate(Arena.ofAuto(), DType.F32, 90, 120), seed)
                .narrow(1, 9, 99);
        Tensor actual = Tensor.allocate(Arena.ofAuto(), DType.BF16, 90, 99).copyFrom(expected);
        for (int i = 0; i < 50; i++) {
            actual.setDouble(random.nextDouble(-2, 2), random.nextLong(90), random.nextLong(99));
        }
        long mismatched = 0;
        double maxAbsolute = 0;
        double maxRelative = 0;
        for (long r = 0; r < 90; r++) {
            for (long c = 0; c < 99; c++) {
                double a = actual.getDouble(r, c);
                double e = expected.getDouble(r, c);
                mismatched += Math.abs(a - e) <= 1e-3 + 4e-3 * Math.abs(e) ? 0 : 1;
                maxAbsolute = Math.max(maxAbsolute, Math.abs(a - e));
                maxRelative = Math.max(maxRelative, Math.abs(a - e) / Math.abs(e));
            }
        }
        Closeness.Report report = Closeness.compare(actual, expected, 4e-3, 1e-3);
        assertThat(mismatched).as("seed=%d", seed).isPositive();
        assertThat(report.mismatched()).isEqualTo(mismatched);
        assertThat(report.maxAbsolute()).isEqualTo(maxAbsolute);
        assertThat(report.maxRelative()).isEqualTo(maxRelative);
    }

    @Test
    void exactComparesBits() {
        assertThat(Closeness.exact(of(Double.NaN, 1), of(Double.NaN, 1)).close()).isTrue();
        Closeness.Report zero = Closeness.exact(of(1, -0.0), of(1, 0.0));
        assertThat(zero.mismatched()).isEqualTo(1);
        assertThat(zero).hasToString(
                "1 of 2 elements (50.0 %) differ, not equal bit for bit; first at [1]: actual=-0.0, expected=0.0");
        Tensor longs = Tensor.of(MemorySegment.ofArray(new long[]{Long.MAX_VALUE}), DType.I64, 1);
        Tensor next = Tensor.of(MemorySegment.ofArray(new long[]{Long.MAX_VALUE - 1}), DType.I64, 1);
        assertThat(Closeness.exact(longs, next).mismatched()).isEqualTo(1);
        Tensor one = Tensor.allocate(Arena.ofAuto(), DType.BF16, 70, 90).fill(4);
        Tensor two = Tensor.allocate(Arena.ofAuto(), DType.BF16, 70, 100).fill(4).narrow(1, 5, 90);
        assertThat(Closeness.exact(one, two).close()).isTrue();
        two.setDouble(5, 69, 89);
        assertThat(Closeness.exact(one, two).firstIndex()).containsExactly(69, 89);
    }

    @Test
    void wrongCallsAreNamed() {
        Tensor floats = of(1, 2);
        Tensor ints = Tensor.of(MemorySegment.ofArray(new int[2]), DType.I32, 2);
        assertThatThrownBy(() -> Closeness.compare(floats, of(1), 0, 0)).isInstanceOf(UsageException.class)
                .hasMessage("shapes differ: actual=Tensor[fp64 2], expected=Tensor[fp64 1]; compare equal shapes");
        assertThatThrownBy(() -> Closeness.compare(floats, ints, 0, 0)).isInstanceOf(UsageException.class)
                .hasMessageContaining("compare integers exactly");
        assertThatThrownBy(() -> Closeness.exact(floats, ints)).isInstanceOf(UsageException.class)
                .hasMessageContaining("types differ");
        for (double bad : new double[]{-1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> Closeness.compare(floats, floats, bad, 0)).isInstanceOf(UsageException.class);
            assertThatThrownBy(() -> Closeness.compare(floats, floats, 0, bad)).isInstanceOf(UsageException.class);
        }
    }
}
