package dev.tandem.core.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs with all ranks in one JVM, started bare as an IDE does: what they print is what process mode prints. */
@Tag("dist")
@Timeout(300)
class InProcessModeIT {

    @TempDir
    private Path folder;

    @Test
    void everyRankRunsInOneProcessAndNoWarningIsPrinted() throws Exception {
        try (Launched job = Launched.start(folder, "--mode", "inproc", "--nproc-per-node", "3", "--inject")) {
            assertThat(job.status()).as("status; %s", job.err()).isZero();
            assertThat(job.out())
                    .containsSubsequence(
                            "[INFO] Rank 0 of 3 initialized",
                            "[INFO] Rank 1 of 3 initialized",
                            "[INFO] Rank 2 of 3 initialized",
                            "[INFO] all 3 ranks done")
                    .contains("got object of rank 0", "got object of rank 1", "got object of rank 2");
            assertThat(job.rankPids()).hasSize(3).containsOnly(job.pid());
            assertThat(job.err()).isEmpty();
        }
    }

    @Test
    void linesAreTagged() throws Exception {
        try (Launched job = Launched.start(folder, "--mode=inproc", "--tag-output")) {
            assertThat(job.status()).isZero();
            assertThat(job.out()).contains("[rank 1] pid of rank 1: " + job.pid());
        }
    }

    @Test
    void aRankThatThrowsBringsAllDown() throws Exception {
        try (Launched job = Launched.start(folder, "--mode", "inproc", "--nproc-per-node", "3", "--rank", "1", "--how",
                "THROW")) {
            assertThat(job.status()).isEqualTo(1);
            assertThat(job.err())
                    .containsExactly(
                            "[ERROR] Rank 1: IllegalStateException: boom on purpose",
                            "[ERROR] Job failed: rank 1 of 3 was the first to fail, by exit status 1;"
                                    + " the other ranks were stopped.");
        }
    }

    @Test
    void aRankThatReturnsAnErrorIsNamedWithItsStatus() throws Exception {
        try (Launched job = Launched.start(folder, "--mode", "inproc", "--nproc-per-node", "3", "--rank", "2", "--how",
                "RETURN_7")) {
            assertThat(job.status()).isEqualTo(1);
            assertThat(job.err())
                    .containsSubsequence(
                            "[ERROR] Rank 2 wrote last:",
                            "        | about to return 7",
                            "[ERROR] Job failed: rank 2 of 3 was the first to fail, by exit status 7;"
                                    + " the other ranks were stopped.");
        }
    }

    @Test
    void verdictsOfAllRanksArePrintedBeforeTheJobFails() throws Exception {
        try (Launched job = Launched.start(folder, "--mode", "inproc", "--nproc-per-node", "3", "--how",
                "ALL_RETURN_1")) {
            assertThat(job.status()).isEqualTo(1);
            assertThat(job.out()).containsSubsequence("[FAIL] Rank 0", "[FAIL] Rank 1", "[FAIL] Rank 2");
        }
    }

    @Test
    void ranksThatAreDeafToTheWorldDoNotKeepTheProcess() throws Exception {
        try (Launched job = Launched.start(folder, "--mode", "inproc", "--nproc-per-node", "3", "--rank", "0", "--how",
                "THROW_AT_DEAF")) {
            assertThat(job.status()).isEqualTo(1);
            List<String> err = job.err();
            assertThat(err.getFirst()).isEqualTo("[ERROR] Rank 0: IllegalStateException: boom on purpose");
            assertThat(err).filteredOn(line -> line.contains("has not ended")).hasSize(2);
        }
    }

    @Test
    void modeIsRefusedUnderALauncher() throws Exception {
        try (Launched job = Launched.start(
                folder,
                java.util.Map.of("RANK", "0", "WORLD_SIZE", "1", "MASTER_ADDR", "127.0.0.1", "MASTER_PORT", "29511"),
                "--mode",
                "inproc")) {
            assertThat(job.status()).isEqualTo(2);
            assertThat(job.err()).singleElement().asString().contains("--mode=inproc").contains("rank 0 of 1");
        }
    }
}
