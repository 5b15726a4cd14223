package dev.tandem.core.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.UsageException;
import dev.tandem.core.launch.JobSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class JobOptionsTest {

    private static JobPlan plan(String... arguments) {
        JobOptions options = new JobOptions();
        new CommandLine(CommandLine.Model.CommandSpec.forAnnotatedObject(options)).parseArgs(arguments);
        return options.validate();
    }

    @Test
    void aJobThatAsksForNothingHasTwoRanksInProcesses() {
        assertThat(plan())
                .isEqualTo(new JobPlan(
                        2, JobPlan.Mode.PROCESS, JobSettings.defaults(), null, 0, false, false));
    }

    @Test
    void everyOptionArrives() {
        assertThat(
                plan("--nproc-per-node=4", "--mode", "INPROC", "--heap", "64MiB", "--cores", "20", "--timeout", "500ms",
                        "--master-addr", "localhost", "--master-port", "29500", "--tag-output", "--verbose"))
                .isEqualTo(new JobPlan(
                        4, JobPlan.Mode.INPROC, new JobSettings(500_000_000L, 64L << 20, 20), "localhost", 29_500, true,
                        true));
    }

    @Test
    void timeoutZeroIsForEver() {
        assertThat(plan("--timeout", "0").settings().timeoutNs()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"--nproc-per-node, 0", "--nproc-per-node, -1", "--nproc-per-node, x", "--nproc-per-node, 1025",
        "--nproc-per-node, 99999999999999999999", "--nproc-per-node, 2.0", "--mode, threads", "--heap, 0",
        "--heap, many",
        "--cores, 0", "--timeout, 30", "--timeout, -1s", "--master-port, 65536", "--master-port, 0",
        "--master-addr, ' '"})
    void whatCannotBeIsRefusedInOneSentenceThatNamesIt(String option, String value) {
        assertThatThrownBy(() -> plan(option + "=" + value))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(option + "=" + value.strip())
                .hasMessageContaining("; give ")
                .hasMessageNotContaining("\n");
    }
}
