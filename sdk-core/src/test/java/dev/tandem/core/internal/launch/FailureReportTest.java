package dev.tandem.core.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.core.JobAbortedException;
import dev.tandem.core.PeerLostException;
import dev.tandem.core.UsageException;
import org.junit.jupiter.api.Test;

class FailureReportTest {

    @Test
    void oursSpeakForThemselvesAndOthersSayWhatTheyAre() {
        assertThat(FailureReport.sentence(new UsageException("negative: m=-1; pass 0 or more")))
                .isEqualTo("negative: m=-1; pass 0 or more");
        assertThat(FailureReport.sentence(new ArithmeticException("/ by zero")))
                .isEqualTo("ArithmeticException: / by zero");
        assertThat(FailureReport.sentence(new StackOverflowError())).isEqualTo("StackOverflowError");
    }

    @Test
    void aMessageOfSeveralLinesBecomesOne() {
        assertThat(FailureReport.sentence(new IllegalStateException("first\n  second\r\nthird\n")))
                .isEqualTo("IllegalStateException: first second third");
    }

    @Test
    void travelsAsALine() {
        FailureReport report = FailureReport.of(new JobAbortedException("rank 1 failed: b\u00f6se; see there"));
        assertThat(report.elsewhere()).isTrue();
        assertThat(FailureReport.ofLine(report.toLine())).contains(report);
        assertThat(FailureReport.of(new PeerLostException("rank 1 is gone")).elsewhere()).isTrue();
        assertThat(FailureReport.of(new UsageException("x")).elsewhere()).isFalse();
        assertThat(FailureReport.ofLine("[ERROR] something")).isEmpty();
        assertThat(FailureReport.ofLine("\u001b]tandem-failure;")).isEmpty();
    }
}
