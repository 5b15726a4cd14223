package dev.tandem.profiler.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.SetupException;
import dev.tandem.core.UsageException;
import dev.tandem.core.cli.Subcommand;
import dev.tandem.profiler.Cases;
import dev.tandem.profiler.internal.ui.Display;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CommandsTest {

    private static String run(Subcommand command, String... arguments) throws Exception {
        new CommandLine(command).parseArgs(arguments);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            assertThat(command.run(out, out)).isZero();
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void reportPrintsTextOrJson() throws Exception {
        String file = Cases.small("sampled_rank-0.json.gz").toString();
        assertThat(run(new ReportCommand(), file)).contains("14.9 % of communication is hidden", "396.199");
        assertThat(run(new ReportCommand(), "--json", file, file)).contains("\"overlappedNs\" : 59216000");
    }

    @Test
    void aMissingFileIsAUsageError() {
        assertThatThrownBy(() -> run(new ReportCommand(), "no-such.json")).isInstanceOf(UsageException.class)
                .hasMessageContaining("no such trace file: no-such.json");
    }

    @Test
    void withoutADisplayTheWindowSaysWhatWorks() {
        Assumptions.assumeTrue(Display.missing().isPresent(), "there is a display");
        assertThatThrownBy(() -> run(new ProfilerCommand())).isInstanceOf(SetupException.class)
                .hasMessageContaining("needs a display")
                .hasMessageContaining("tandem report FILE");
    }
}
