package dev.tandem.core.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.UsageException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0", "4096, 4096", "1B, 1", "1kB, 1000", "1KiB, 1024", "64MiB, 67108864", "3GB, 3000000000",
        "3GiB, 3221225472",
        "3gib, 3221225472", "1.5 GiB, 1610612736", "2TB, 2000000000000", "1TiB, 1099511627776", " 7 MB , 7000000"})
    void sizesKeepDecimalAndBinaryUnitsApart(String text, long bytes) {
        assertThat(Quantities.bytes(text, "--heap")).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "GiB", "3G", "3 apples", "-1MiB", "1.5", "0.3KiB", "1e3", "9223372036854775808",
        "8388608TiB",
        "--3", "1..2GB"})
    void aSizeThatIsNoneIsRefusedInOneSentence(String text) {
        assertThatThrownBy(() -> Quantities.bytes(text, "--heap"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--heap=" + text)
                .hasMessageContaining("give a size such as 64MiB")
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0s, 0", "500ms, 500000000", "30s, 30000000000", "1.5s, 1500000000", "2min, 120000000000",
        "1h, 3600000000000", "7us, 7000", "9ns, 9"})
    void durationsHaveUnits(String text, long nanoseconds) {
        assertThat(Quantities.nanoseconds(text, "--timeout")).isEqualTo(nanoseconds);
    }

    @ParameterizedTest
    @ValueSource(strings = {"30", "soon", "-1s", "0.1ns", "1d", "999999999999h", ""})
    void aDurationThatIsNoneIsRefusedInOneSentence(String text) {
        assertThatThrownBy(() -> Quantities.nanoseconds(text, "--timeout"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--timeout=" + text)
                .hasMessageContaining("give a duration such as 30s");
    }

    @Property
    void aWholeNumberOfAUnitIsThatManyTimesTheUnit(@ForAll @IntRange(min = 0) int number) {
        assertThat(Quantities.nanoseconds(number + "ms", "t")).isEqualTo(number * 1_000_000L);
        assertThat(Quantities.bytes(number + "MiB", "s")).isEqualTo((long) number << 20);
    }
}
