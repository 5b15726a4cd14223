package dev.tandem.profiler.internal.chrome;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MicrosecondsTest {

    @ParameterizedTest
    @CsvSource({"1736408883688177.930, 1736408883688177930", "996.9599375, 996960", "0, 0", "-1.5, -1500", ".5, 500",
        "5., 5000", "1e3, 1000000", "1.25E-2, 13", "56635864652.490005, 56635864652490", "0.0005, 1", "0.00049, 0",
        "+7, 7000"})
    void decimalTextIsExact(String text, long ns) {
        assertThat(Microseconds.toNs(text)).isEqualTo(ns);
    }

    @ParameterizedTest
    @CsvSource({"abc", "NaN", "Infinity", "''", "1.2.3", "1e", "1e999", "99999999999999999999", "--1", "-", "."})
    void whatIsNoTimeIsRefused(String text) {
        assertThat(Microseconds.toNs(text)).isEqualTo(Microseconds.NONE);
    }

    @Test
    void anExponentOfAnySizeEndsAtOnce() {
        assertThat(Microseconds.toNs("1e-2000000000")).isZero();
        assertThat(Microseconds.toNs("1e99999999999999999999")).isEqualTo(Microseconds.NONE);
    }

    @Property
    void agreesWithBigDecimal(
            @ForAll @LongRange(min = -100_000_000_000_000_000L, max = 100_000_000_000_000_000L) long unscaled,
            @ForAll @IntRange(max = 9) int scale) {
        BigDecimal us = BigDecimal.valueOf(unscaled, scale);
        if (us.abs().compareTo(BigDecimal.valueOf(900_000_000_000_000L)) < 0) {
            long expected = us.movePointRight(3).setScale(0, RoundingMode.HALF_UP).longValueExact();
            assertThat(Microseconds.toNs(us.toPlainString())).isEqualTo(expected);
            assertThat(Microseconds.toNs(us.toString())).isEqualTo(expected);
        }
    }
}
