package dev.tandem.core.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.core.internal.launch.CapturedConsole;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class MainTest {

    private final CapturedConsole captured = new CapturedConsole();

    private int run(String... arguments) {
        return Main.run(List.of(arguments), captured.console());
    }

    private void assertOneSentence(String... parts) {
        assertThat(captured.err().lines()).singleElement().asString().startsWith("[ERROR] ").contains(parts);
        assertThat(captured.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h", ""})
    void helpListsEveryCommand(String argument) {
        assertThat(argument.isEmpty() ? run() : run(argument)).isZero();
        assertThat(captured.out())
                .contains("Usage: tandem COMMAND [OPTIONS]")
                .containsPattern("run +Run a sample on several ranks\\.")
                .containsPattern("samples +List the samples\\.")
                .containsPattern("echo +Print a word\\.");
        assertThat(captured.out().lines()).allMatch(line -> line.length() <= 100);
        assertThat(captured.err()).isEmpty();
    }

    @Test
    void helpIsACommandAsWell() {
        assertThat(run("help")).isZero();
        assertThat(captured.out()).contains("Usage: tandem COMMAND [OPTIONS]");
        assertThat(run("help", "run", "test-sample")).isZero();
        assertThat(captured.out()).contains("Usage: tandem run test-sample [OPTIONS]");
    }

    @Test
    void versionIsOneLine() {
        assertThat(run("--version")).isZero();
        assertThat(captured.out().lines()).singleElement().asString().matches("Tandem .*Java \\d+.*");
    }

    @Test
    void samplesAreListedWithSummariesThatFitTheTerminal() {
        assertThat(run("samples")).isZero();
        assertThat(captured.out()).startsWith("test-sample  Ends as it is told to");
        assertThat(captured.out().lines()).hasSizeGreaterThan(1).allMatch(line -> line.length() <= 100);
    }

    @Test
    void helpOfRunExplainsTheJobAndListsTheSamples() {
        assertThat(run("run", "--help")).isZero();
        assertThat(captured.out())
                .contains("Usage: tandem run SAMPLE [OPTIONS]", "--nproc-per-node", "Samples (", "  test-sample  Ends");
        assertThat(captured.out().lines()).allMatch(line -> line.length() <= 100);
    }

    @Test
    void helpOfASampleShowsItsOwnOptions() {
        assertThat(run("run", "test-sample", "--help")).isZero();
        assertThat(captured.out()).startsWith("Usage: tandem run test-sample [OPTIONS]")
                .contains("--how", "--nproc-per-node");
    }

    @Test
    @Tag("dist")
    void runsASampleWithTheJobsOptionsBeforeOrAfterItsName() {
        assertThat(run("run", "test-sample", "--mode", "inproc", "--nproc-per-node=3")).isZero();
        assertThat(captured.out()).contains("[INFO] all 3 ranks done");
        assertThat(run("run", "--nproc-per-node", "4", "test-sample", "--mode", "inproc")).isZero();
        assertThat(captured.out()).contains("[INFO] all 4 ranks done");
    }

    @Test
    void anUnknownSampleIsRefusedWithTheNearest() {
        assertThat(run("run", "tset-sample")).isEqualTo(2);
        assertOneSentence("unknown sample: tset-sample", "did you mean test-sample?", "tandem samples");
    }

    @Test
    void anUnknownSampleThatIsLikeNoneIsRefused() {
        assertThat(run("run", "flash-attention")).isEqualTo(2);
        assertOneSentence("unknown sample: flash-attention; tandem samples lists them");
    }

    @Test
    void runWithoutASampleIsRefused() {
        assertThat(run("run")).isEqualTo(2);
        assertOneSentence("no sample named");
    }

    @Test
    void anUnknownCommandIsRefusedWithTheNearest() {
        assertThat(run("rnu")).isEqualTo(2);
        assertOneSentence("unknown command: rnu", "did you mean tandem run?");
    }

    @Test
    void anUnknownOptionIsRefused() {
        assertThat(run("--hepl")).isEqualTo(2);
        assertOneSentence("unknown option: --hepl");
    }

    @Test
    void commandsOfOtherModulesRunAndGiveTheirStatus() {
        assertThat(run("echo", "--word", "four")).isEqualTo(4);
        assertThat(captured.out().strip()).isEqualTo("four");
        assertThat(captured.err().strip()).isEqualTo("echoed");
    }

    @Test
    void helpOfAnotherModulesCommand() {
        assertThat(run("echo", "--help")).isZero();
        assertThat(captured.out()).startsWith("Usage: tandem echo").contains("--word");
    }

    @Test
    void wrongOptionsOfAnotherModulesCommandAreRefused() {
        assertThat(run("echo")).isEqualTo(2);
        assertOneSentence("--word", "see tandem echo --help");
    }

    @Test
    void aFailureOfAnotherModulesCommandIsOneSentence() {
        assertThat(run("echo", "--word", "")).isEqualTo(3);
        assertOneSentence("no word: word=; give one");
    }
}
