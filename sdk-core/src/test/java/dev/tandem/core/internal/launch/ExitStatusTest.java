package dev.tandem.core.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.core.SetupException;
import dev.tandem.core.UsageException;
import org.junit.jupiter.api.Test;

class ExitStatusTest {

    @Test
    void aSignalHasItsName() {
        assertThat(ExitStatus.describe(137)).isEqualTo("SIGKILL (9)");
        assertThat(ExitStatus.describe(139)).isEqualTo("SIGSEGV (11)");
        assertThat(ExitStatus.describe(143)).isEqualTo("SIGTERM (15)");
        assertThat(ExitStatus.describe(7)).isEqualTo("exit status 7");
        assertThat(ExitStatus.describe(255)).isEqualTo("exit status 255");
    }

    @Test
    void aFailureHasAStatusByWhatCanBeDoneAboutIt() {
        assertThat(ExitStatus.beforeRanks(new UsageException("x"))).isEqualTo(2);
        assertThat(ExitStatus.beforeRanks(new SetupException("x"))).isEqualTo(3);
        assertThat(ExitStatus.ofRank(new UsageException("x"))).isEqualTo(1);
        assertThat(ExitStatus.ofRank(new OutOfMemoryError())).isEqualTo(1);
    }
}
