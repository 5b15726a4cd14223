package dev.tandem.core.internal.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks in JVMs of their own. */
@Tag("dist")
@Timeout(120)
class WorldIT {

    @TempDir
    private Path logs;

    private final List<Process> ranks = new ArrayList<>();
    private final List<BufferedReader> outputs = new ArrayList<>();

    private void start(int size, String what, long timeoutMs, List<String> flags) throws IOException {
        int port = Worlds.freePort();
        for (int rank = 0; rank < size; rank++) {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m", "-Xshare:auto"));
            if (rank == 1) {
                command.addAll(flags);
            }
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), RankProcess.class.getName(), what,
                    Long.toString(timeoutMs)));
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().keySet().removeIf(name -> name.matches("(TANDEM|SLURM|OMPI|PMIX|TORCHELASTIC)_.*"));
            builder.environment().put("RANK", Integer.toString(rank));
            builder.environment().put("WORLD_SIZE", Integer.toString(size));
            builder.environment().put("MASTER_PORT", Integer.toString(port));
            builder.environment().put("TANDEM_SECRET", Worlds.SECRET);
            builder.redirectError(logs.resolve("rank" + rank + ".err").toFile());
            ranks.add(builder.start());
            outputs.add(ranks.getLast().inputReader(StandardCharsets.UTF_8));
        }
    }

    private void awaitReady() throws IOException {
        for (int rank = 0; rank < ranks.size(); rank++) {
            String line = outputs.get(rank).readLine();
            while (line != null && !line.startsWith("READY")) {
                line = outputs.get(rank).readLine();
            }
            assertThat(line).as("rank %d: %s", rank, errors(rank)).isNotNull();
        }
    }

    private String errors(int rank) throws IOException {
        return Files.readString(logs.resolve("rank" + rank + ".err"));
    }

    /** Gives a rank's last line, which says how it ended, once it has ended. */
    private String lastLine(int rank) throws Exception {
        List<String> lines = lines(rank);
        return lines.isEmpty() ? "" : lines.getLast();
    }

    private List<String> lines(int rank) throws Exception {
        assertThat(ranks.get(rank).waitFor(Worlds.TEST_LIMIT_S, TimeUnit.SECONDS)).as("rank %d ends", rank).isTrue();
        return outputs.get(rank).lines().toList();
    }

    @AfterEach
    void noProcessIsLeft() throws InterruptedException {
        List<Process> left = ranks.stream().filter(Process::isAlive).toList();
        for (Process rank : left) {
            rank.destroyForcibly();
            rank.waitFor(10, TimeUnit.SECONDS);
        }
        assertThat(left).isEmpty();
    }

    @Test
    void ranksInProcessesOfTheirOwnMeetAndEnd() throws Exception {
        start(3, "nothing", 60_000, List.of());
        awaitReady();
        for (int rank = 0; rank < 3; rank++) {
            assertThat(lastLine(rank)).isEqualTo("DONE");
            assertThat(ranks.get(rank).exitValue()).isZero();
            assertThat(errors(rank)).doesNotContain("WARNING").doesNotContain("Exception");
        }
    }

    @ParameterizedTest
    @CsvSource({"barrier, 1", "gather, 1", "gather, 0"})
    void aKilledRankEndsAllOthersWithinASecond(String what, int victim) throws Exception {
        start(3, what, 60_000, List.of());
        awaitReady();
        long killedMs = System.currentTimeMillis();
        ranks.get(victim).destroyForcibly();
        for (int rank = 0; rank < 3; rank++) {
            if (rank != victim) {
                List<String> lines = lines(rank);
                assertThat(lines.getLast())
                        .startsWith("FAILED PeerLostException: rank " + victim + " is lost: its connection ");
                assertThat(ranks.get(rank).exitValue()).isEqualTo(1);
                String heard = lines.get(lines.size() - 2);
                assertThat(Long.parseLong(heard.substring("HEARD ".length())) - killedMs)
                        .as("milliseconds until rank %d knew", rank)
                        .isLessThan(1_000);
            }
        }
        assertThat(ranks.get(victim).waitFor(10, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aStoppedRankIsNamedWhenTheTimeoutPasses(int stopped) throws Exception {
        Assumptions.assumeTrue(
                Files.isExecutable(Path.of("/bin/kill")),
                "stopping a process needs the kill command of a POSIX system");
        start(3, "gather", 3_000, List.of());
        awaitReady();
        signal("-STOP", ranks.get(stopped));
        try {
            for (int rank : new int[]{1 - stopped, 2}) {
                assertThat(lastLine(rank)).startsWith("FAILED TimedOutException: ").contains("rank " + stopped);
            }
        } finally {
            signal("-CONT", ranks.get(stopped));
        }
        assertThat(lastLine(stopped)).startsWith("FAILED ");
    }

    private static void signal(String name, Process process) throws Exception {
        Process kill = new ProcessBuilder("/bin/kill", name, Long.toString(process.pid())).start();
        assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(kill.exitValue()).isZero();
    }

    @Test
    void theLastResortEndsARankThatLooksAtNothing() throws Exception {
        start(2, "stuck", 60_000, List.of());
        awaitReady();
        assertThat(lastLine(1)).isEqualTo("FAILED IllegalStateException: boom");
        lastLine(0);
        assertThat(ranks.get(0).exitValue()).isEqualTo(9);
    }

    @Test
    void aRankUnderADebuggerHoldsAllDeadlines() throws Exception {
        // The agent's own line goes to the standard output, before READY.
        start(2, "barrier", 1_000,
                List.of("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0"));
        awaitReady();
        assertThat(ranks.get(0).waitFor(3, TimeUnit.SECONDS)).as("rank 0 waits on").isFalse();
        ranks.get(1).destroyForcibly();
        assertThat(lastLine(0)).startsWith("FAILED PeerLostException: rank 1 is lost");
        assertThat(ranks.get(1).waitFor(10, TimeUnit.SECONDS)).isTrue();
    }
}
