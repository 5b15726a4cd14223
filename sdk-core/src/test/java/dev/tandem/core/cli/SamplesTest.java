package dev.tandem.core.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SamplesTest {

    @Test
    void textIsBrokenAtBlanks() {
        assertThat(Samples.wrap("one two  three", 7)).containsExactly("one two", "three");
        assertThat(Samples.wrap("unbreakable word", 5)).containsExactly("unbreakable", "word");
        assertThat(Samples.wrap("", 5)).containsExactly("");
    }

    @Test
    void noSamplesAreSaidToBeNone() {
        assertThat(new Samples(List.of()).table(80, "  ")).isEqualTo("  (none on the class path)");
    }
}
