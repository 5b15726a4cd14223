package dev.tandem.core.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.core.internal.launch.CapturedConsole;
import dev.tandem.core.internal.launch.ProgramLauncher;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In-process jobs as a unit test of an application runs them. */
@Tag("dist")
@Timeout(60)
class JobsInThisJvmTest {

    private final CapturedConsole captured = new CapturedConsole();

    private int run(String... arguments) {
        return ProgramLauncher.run(TestProgram.class, "test", List.of(arguments), captured.console());
    }

    @Test
    void severalJobsOneAfterTheOtherAreIndependent() {
        assertThat(run("--mode", "inproc", "--rank", "0", "--how", "THROW")).isEqualTo(1);
        assertThat(run("--mode", "inproc", "--nproc-per-node", "4")).isZero();
        assertThat(captured.out()).contains("[INFO] all 4 ranks done");
    }

    @Test
    void helpShowsTheProgramsOptionsAndTheJobs() {
        assertThat(run("--help")).isZero();
        assertThat(captured.out())
                .startsWith("Usage: test ")
                .contains("--how", "Job:", "--nproc-per-node", "--mode", "--heap", "--timeout", "--tag-output",
                        "--verbose");
        assertThat(captured.out().lines()).allMatch(line -> line.length() <= 100);
    }

    @Test
    void versionIsOneLine() {
        assertThat(run("--version")).isZero();
        assertThat(captured.out().lines()).singleElement().asString().startsWith("Tandem ");
    }

    @Test
    void aMistypedOptionIsRefusedWithTheNearest() {
        assertThat(run("--nproc-pernode", "2")).isEqualTo(2);
        assertThat(captured.err().strip())
                .isEqualTo("[ERROR] unknown option: --nproc-pernode; did you mean --nproc-per-node? see test --help");
    }

    @Test
    void aValueThatIsNoneIsRefusedInOneSentence() {
        assertThat(run("--lines", "many")).isEqualTo(2);
        assertThat(captured.err().lines()).singleElement().asString().contains("--lines").contains("many");
    }

    @Test
    void aProgramThatCannotBeMadeIsRefusedInOneSentence() {
        class Local implements RankProgram {

            @Override
            public int run(RankContext rank) {
                return 0;
            }
        }
        assertThat(ProgramLauncher.run(Local.class, null, List.of(), captured.console())).isEqualTo(2);
        assertThat(captured.err().lines()).singleElement().asString().contains("constructor without arguments");
    }
}
