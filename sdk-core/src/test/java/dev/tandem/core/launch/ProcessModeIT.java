package dev.tandem.core.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs of real processes, started as a user starts them. */
@Tag("dist")
@Timeout(300)
class ProcessModeIT {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void everyRankRunsAndLinesInOrderAreInOrder(int ranks) throws Exception {
        try (Launched job = Launched.start(folder, "--nproc-per-node", Integer.toString(ranks))) {
            assertThat(job.status()).as("status; %s", job.err()).isZero();
            List<String> expected = new ArrayList<>();
            IntStream.range(0, ranks).forEach(r -> expected.add("[INFO] Rank " + r + " of " + ranks + " initialized"));
            expected.add("[INFO] all " + ranks + " ranks done");
            assertThat(job.outWithoutPids()).isEqualTo(expected);
            assertThat(job.err()).isEmpty();
            assertThat(job.rankPids()).hasSize(ranks).doesNotHaveDuplicates().doesNotContain(job.pid());
        }
    }

    @Test
    void aBareStartHasTwoRanks() throws Exception {
        try (Launched job = Launched.start(folder)) {
            assertThat(job.status()).as("status; %s", job.err()).isZero();
            assertThat(job.outWithoutPids())
                    .containsExactly(
                            "[INFO] Rank 0 of 2 initialized", "[INFO] Rank 1 of 2 initialized",
                            "[INFO] all 2 ranks done");
        }
    }

    @Test
    void linesStayWholeAndTagged() throws Exception {
        try (Launched job = Launched.start(folder, "--tag-output", "--lines", "500", "--nproc-per-node", "3")) {
            assertThat(job.status()).as("status; %s", job.err()).isZero();
            for (int rank = 0; rank < 3; rank++) {
                String tag = "[rank " + rank + "] line ";
                List<String> expected = new ArrayList<>();
                for (int i = 0; i < 500; i++) {
                    expected.add(tag + i + " of rank " + rank);
                }
                assertThat(job.out().stream().filter(line -> line.startsWith(tag))).isEqualTo(expected);
            }
            assertThat(job.out()).allMatch(line -> line.startsWith("[rank "));
        }
    }

    @Test
    void objectsOfTheInjectorAreClosedLastMadeFirst() throws Exception {
        try (Launched job = Launched.start(folder, "--inject", "--nproc-per-node", "1")) {
            assertThat(job.status()).as("status; %s", job.err()).isZero();
            assertThat(job.outWithoutPids())
                    .containsSubsequence("got object of rank 0", "closed object of rank 0", "closed base of rank 0");
            assertThat(job.err()).isEmpty();
        }
    }

    @Test
    void aRankThatThrowsIsNamedOnceWithItsCause() throws Exception {
        try (Launched job = Launched.start(folder, "--nproc-per-node", "3", "--rank", "1", "--how", "THROW",
                "--inject")) {
            assertThat(job.status()).isEqualTo(1);
            assertThat(job.err())
                    .containsExactly(
                            "[ERROR] Rank 1: IllegalStateException: boom on purpose",
                            "[ERROR] Job failed: rank 1 of 3 was the first to fail, by exit status 1;"
                                    + " the other ranks were stopped.");
            assertThat(job.out()).contains("closed object of rank 1");
        }
    }

    @Test
    void verboseShowsWhereAFailureComesFrom() throws Exception {
        try (Launched job = Launched.start(folder, "--rank", "1", "--how", "THROW", "--verbose")) {
            assertThat(job.status()).isEqualTo(1);
            assertThat(job.err())
                    .anyMatch(line -> line.contains("at dev.tandem.core/dev.tandem.core.launch.TestProgram")
                            || line.contains("at dev.tandem.core.launch.TestProgram"));
        }
    }

    @Test
    void aRankThatReturnsAnErrorIsNamedWithItsStatusAndLastLines() throws Exception {
        try (Launched job = Launched.start(folder, "--nproc-per-node", "3", "--rank", "2", "--how", "RETURN_7")) {
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
        try (Launched job = Launched.start(folder, "--nproc-per-node", "4", "--how", "ALL_RETURN_1")) {
            assertThat(job.status()).isEqualTo(1);
            assertThat(job.out()).containsSubsequence("[FAIL] Rank 0", "[FAIL] Rank 1", "[FAIL] Rank 2",
                    "[FAIL] Rank 3");
        }
    }

    @Test
    void aRankThatIsKilledIsNamedWithItsSignal() throws Exception {
        try (Launched job = Launched.start(folder, "--nproc-per-node", "3", "--rank", "1", "--how", "KILL")) {
            assertThat(job.status()).isEqualTo(1);
            assertThat(job.err())
                    .endsWith("[ERROR] Job failed: rank 1 of 3 was the first to fail, by SIGKILL (9);"
                            + " the other ranks were stopped.")
                    .contains("        | about to be killed");
            job.awaitGone(job.rankPids());
        }
    }

    @Test
    void aRankThatLeavesEarlyWithSuccessIsNamed() throws Exception {
        try (Launched job = Launched.start(folder, "--nproc-per-node", "3", "--rank", "2", "--how", "EXIT_0")) {
            assertThat(job.status()).isEqualTo(1);
            assertThat(job.err()).last().asString().startsWith("[ERROR] Job failed: rank 2 is lost");
        }
    }

    @Test
    void ranksThatAreDeafToTheWorldEndAsWell() throws Exception {
        try (Launched job = Launched.start(folder, "--nproc-per-node", "3", "--rank", "0", "--how", "THROW_AT_DEAF")) {
            List<Long> pids = job.awaitRankPids(3);
            assertThat(job.status()).isEqualTo(1);
            assertThat(job.err()).first().isEqualTo("[ERROR] Rank 0: IllegalStateException: boom on purpose");
            job.awaitGone(pids);
        }
    }

    @Test
    void aRankThatNeverComesEndsTheJobWithinTheTimeout() throws Exception {
        try (Launched job = Launched.start(folder, "--nproc-per-node", "3", "--rank", "1", "--how", "NEVER_COME",
                "--timeout", "3s")) {
            assertThat(job.status()).isEqualTo(1);
            assertThat(job.err()).hasSize(2).allMatch(line -> line.startsWith("[ERROR] "));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"process", "inproc"})
    void sharedMemoryFilesThatAJobLeavesBehindAreRemoved(String mode) throws Exception {
        Path shared = Files.createDirectory(folder.resolve("shared"));
        Files.createFile(shared.resolve("tandem-other-0"));
        String how = mode.equals("process") ? "KILL" : "THROW";
        try (Launched job = Launched.start(folder, Map.of("TANDEM_SHM_DIR", shared.toString()), "--mode", mode,
                "--litter",
                "--rank", "1", "--how", how)) {
            assertThat(job.status()).as("status; %s", job.err()).isEqualTo(1);
            assertThat(job.err()).last().asString().contains("rank 1 of 2 was the first to fail");
            try (Stream<Path> left = Files.list(shared)) {
                assertThat(left).containsExactly(shared.resolve("tandem-other-0"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void aSignalToTheLauncherEndsEveryRank(String signal) throws Exception {
        assumeThat(ignored(signal)).as("this shell ignores SIG%s, and so do its children", signal).isFalse();
        try (Launched job = Launched.start(folder, "--nproc-per-node", "3", "--how", "ALL_DEAF")) {
            List<Long> pids = job.awaitRankPids(3);
            job.signal(signal);
            assertThat(job.status()).isEqualTo(signal.equals("INT") ? 130 : 143);
            job.awaitGone(pids);
            assertThat(job.err()).containsExactly("[ERROR] Interrupted: all ranks were stopped.");
        }
    }

    @Test
    void ctrlCInATerminalReachesEveryoneAndBlamesNobody() throws Exception {
        assumeThat(ignored("INT")).as("this shell ignores SIGINT, and so do its children").isFalse();
        try (Launched job = Launched.start(folder, "--nproc-per-node", "3", "--how", "ALL_DEAF")) {
            List<Long> pids = job.awaitRankPids(3);
            for (long pid : pids) {
                Launched.signal("INT", pid);
            }
            job.signal("INT");
            assertThat(job.status()).isEqualTo(130);
            job.awaitGone(pids);
            assertThat(job.err()).containsExactly("[ERROR] Interrupted: all ranks were stopped.");
        }
    }

    private static boolean ignored(String signal) throws IOException {
        int number = signal.equals("INT") ? 2 : 15;
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("SigIgn:")) {
                return (Long.parseUnsignedLong(line.substring(7).strip(), 16) >> (number - 1) & 1) != 0;
            }
        }
        return false;
    }

    @Test
    void ranksEndWhenTheirLauncherIsKilled() throws Exception {
        try (Launched job = Launched.start(folder, "--nproc-per-node", "3", "--how", "ALL_DEAF")) {
            List<Long> pids = job.awaitRankPids(3);
            job.signal("KILL");
            assertThat(job.status()).isEqualTo(137);
            job.awaitGone(pids);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "x", "1025"})
    void aNumberOfRanksThatCannotBeIsRefused(String ranks) throws Exception {
        try (Launched job = Launched.start(folder, "--nproc-per-node=" + ranks)) {
            assertThat(job.status()).isEqualTo(2);
            assertThat(job.err()).singleElement()
                    .asString()
                    .startsWith("[ERROR] ")
                    .contains("--nproc-per-node=" + ranks);
            assertThat(job.out()).isEmpty();
        }
    }

    @Test
    void anOptionThatTheProgramRefusesStartsNoRank() throws Exception {
        try (Launched job = Launched.start(folder, "--size", "-5")) {
            assertThat(job.status()).isEqualTo(2);
            assertThat(job.err()).containsExactly("[ERROR] negative: --size=-5; pass 0 or more");
        }
    }

    @Test
    void aTakenPortIsASetUpError() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                Launched job = Launched.start(
                        folder, "--master-port", Integer.toString(taken.getLocalPort()), "--timeout", "10s")) {
            assertThat(job.status()).isEqualTo(3);
            assertThat(job.err()).first().asString().contains(Integer.toString(taken.getLocalPort()));
        }
    }

    @Test
    void ranksThatAnotherLauncherHasStartedJoin() throws Exception {
        List<Launched> ranks = new ArrayList<>();
        try {
            String port = freePort();
            for (int rank = 0; rank < 3; rank++) {
                ranks.add(Launched.start(folder, environment(rank, 3, port)));
            }
            for (Launched rank : ranks) {
                assertThat(rank.status()).as("status; %s", rank.err()).isZero();
            }
            assertThat(ranks.get(0).outWithoutPids())
                    .containsExactly(
                            "[INFO] Rank 0 of 3 initialized",
                            "[INFO] Rank 1 of 3 initialized",
                            "[INFO] Rank 2 of 3 initialized",
                            "[INFO] all 3 ranks done");
            assertThat(ranks.get(1).outWithoutPids()).isEmpty();
        } finally {
            ranks.forEach(Launched::close);
        }
    }

    @Test
    void underAnotherLauncherTheRankThatFailedSpeaks() throws Exception {
        List<Launched> ranks = new ArrayList<>();
        try {
            String port = freePort();
            for (int rank = 0; rank < 3; rank++) {
                ranks.add(Launched.start(folder, environment(rank, 3, port), "--rank", "1", "--how", "THROW"));
            }
            for (Launched rank : ranks) {
                assertThat(rank.status()).isEqualTo(1);
            }
            assertThat(ranks.get(1).err()).containsExactly("[ERROR] Rank 1: IllegalStateException: boom on purpose");
            assertThat(ranks.get(0).err()).isEmpty();
            assertThat(ranks.get(2).err()).isEmpty();
        } finally {
            ranks.forEach(Launched::close);
        }
    }

    @Test
    void underAnotherLauncherDeafRanksEndAsWell() throws Exception {
        List<Launched> ranks = new ArrayList<>();
        try {
            String port = freePort();
            for (int rank = 0; rank < 3; rank++) {
                ranks.add(Launched.start(folder, environment(rank, 3, port), "--rank", "2", "--how", "THROW_AT_DEAF"));
            }
            for (Launched rank : ranks) {
                assertThat(rank.status()).isEqualTo(1);
            }
            assertThat(ranks.get(2).err()).containsExactly("[ERROR] Rank 2: IllegalStateException: boom on purpose");
        } finally {
            ranks.forEach(Launched::close);
        }
    }

    @Test
    void underAnotherLauncherAStatusBringsTheOthersDown() throws Exception {
        List<Launched> ranks = new ArrayList<>();
        try {
            String port = freePort();
            for (int rank = 0; rank < 2; rank++) {
                ranks.add(Launched.start(folder, environment(rank, 2, port), "--rank", "1", "--how", "RETURN_7"));
            }
            assertThat(ranks.get(1).status()).isEqualTo(7);
            assertThat(ranks.get(0).status()).isEqualTo(1);
        } finally {
            ranks.forEach(Launched::close);
        }
    }

    @Test
    void variablesAreDefaultsOfOptions() throws Exception {
        try (Launched job = Launched.start(folder, Map.of("TANDEM_TIMEOUT", "soon"))) {
            assertThat(job.status()).isEqualTo(2);
            assertThat(job.err()).singleElement().asString().contains("--timeout=soon");
        }
        try (Launched job = Launched.start(folder, Map.of("TANDEM_TIMEOUT", "soon"), "--timeout", "1min")) {
            assertThat(job.status()).as("status; %s", job.err()).isZero();
        }
    }

    @Test
    void flagsOfOnesOwnReachTheRanks() throws Exception {
        try (Launched job = Launched.start(folder, Map.of("TANDEM_JVM_ARGS", "-XX:NoSuchFlag=1"))) {
            assertThat(job.status()).isEqualTo(1);
            assertThat(job.err()).anyMatch(line -> line.contains("NoSuchFlag"));
        }
    }

    @Test
    void halfARankEnvironmentIsASetUpError() throws Exception {
        try (Launched job = Launched.start(folder, Map.of("LOCAL_RANK", "0"))) {
            assertThat(job.status()).isEqualTo(3);
            assertThat(job.err()).singleElement().asString().startsWith("[ERROR] ").contains("WORLD_SIZE");
        }
    }

    @Test
    void aNumberOfRanksOtherThanTheLaunchersIsRefused() throws Exception {
        try (Launched job = Launched.start(folder, environment(0, 1, freePort()), "--nproc-per-node", "3")) {
            assertThat(job.status()).isEqualTo(2);
            assertThat(job.err())
                    .singleElement()
                    .asString()
                    .startsWith("[ERROR] launchers disagree: --nproc-per-node=3, ranks on this machine=1");
        }
    }

    private static Map<String, String> environment(int rank, int ranks, String port) {
        return Map.of(
                "RANK", Integer.toString(rank),
                "LOCAL_RANK", Integer.toString(rank),
                "WORLD_SIZE", Integer.toString(ranks),
                "LOCAL_WORLD_SIZE", Integer.toString(ranks),
                "MASTER_ADDR", "127.0.0.1",
                "MASTER_PORT", port);
    }

    private static String freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0)) {
            return Integer.toString(probe.getLocalPort());
        }
    }
}
