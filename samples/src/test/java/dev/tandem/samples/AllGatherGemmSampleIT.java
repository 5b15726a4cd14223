package dev.tandem.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sample as a user runs it: a JVM that launches its ranks, its output and its exit status. */
@Tag("dist")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class AllGatherGemmSampleIT {

    @TempDir
    private Path temp;

    private record Outcome(int status, List<String> lines, List<String> errors) {
    }

    @ParameterizedTest
    @CsvSource({"1, process", "2, process", "3, process", "4, process", "8, process", "1, inproc", "2, inproc",
        "3, inproc",
        "4, inproc", "8, inproc"})
    void printsExactlyTheLinesOfTheReadmeInRankOrder(int ranks, String mode) throws Exception {
        Outcome outcome = run("--nproc-per-node", "" + ranks, "--mode", mode, "--m", "77", "--n", "33", "--k", "29");
        List<String> wanted = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            wanted.add("[INFO] Rank " + rank + " of " + ranks + " initialized");
        }
        for (int rank = 0; rank < ranks; rank++) {
            wanted.add("[PASS] Rank " + rank + ": C_golden and C match within tolerances (rtol=1e-3, atol=1e-3).");
        }
        wanted.add("[INFO] Test passed successfully for " + ranks + " ranks!");
        assertThat(outcome.status).as("%s", outcome).isZero();
        assertThat(outcome.lines.stream().filter(line -> !line.startsWith("[INFO] C[") && !line.contains("launches")))
                .containsExactlyElementsOf(wanted);
        assertThat(outcome.errors).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"process", "inproc"})
    void oneWrongElementOnOneRankMakesEveryRankPrintItsVerdictAndTheRunFail(String mode) throws Exception {
        Outcome outcome = run("--nproc-per-node", "3", "--mode", mode, "--m", "20", "--n", "18", "--k", "7",
                "--plant-error",
                "1");
        assertThat(outcome.status).as("%s", outcome).isEqualTo(1);
        assertThat(outcome.lines).filteredOn(line -> line.startsWith("[PASS]")).hasSize(2);
        assertThat(outcome.lines).filteredOn(line -> line.startsWith("[FAIL] Rank 1: C_golden and C do not match"))
                .singleElement()
                .asString()
                .contains("19")
                .contains("17");
        assertThat(outcome.lines).contains("[FAIL] Test failed on 1 of 3 ranks: [1]");
    }

    @Test
    void readsAndWritesItsOwnResultAsInputOfTheNextRun() throws Exception {
        Outcome first = run("--nproc-per-node", "2", "--m", "6", "--n", "5", "--k", "4", "--dtype", "fp32", "--out",
                temp.resolve("C{rank}.npy").toString());
        assertThat(first.status).as("%s", first).isZero();
        Outcome second = run("--nproc-per-node", "2", "--m", "12", "--n", "3", "--k", "5", "--dtype", "fp32", "--a",
                temp.resolve("C{rank}.npy").toString());
        assertThat(second.status).as("%s", second).isZero();
        Outcome misfit = run("--nproc-per-node", "2", "--m", "13", "--n", "3", "--k", "5", "--dtype", "fp32", "--a",
                temp.resolve("C{rank}.npy").toString());
        assertThat(misfit.status).as("%s", misfit).isNotZero();
        assertThat(misfit.errors.toString()).contains("C").contains(".npy").doesNotContain("\tat ");
    }

    @Test
    void bf16AllowsOneStepOfItsOwnAndSaysSo() throws Exception {
        Outcome outcome = run("--nproc-per-node", "2", "--m", "40", "--n", "50", "--k", "300", "--dtype", "bf16");
        assertThat(outcome.status).as("%s", outcome).isZero();
        assertThat(outcome.lines).contains(
                "[PASS] Rank 0: C_golden and C match within tolerances (rtol=8e-3, atol=1e-3).");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"--nproc-per-node 0 | 2 | nproc", "--nproc-per-node x | 2 | nproc",
        "--m 0 | 2 | not positive: --m=0", "--dtype fp8 | 2 | unknown dtype: fp8",
        "--dtype int32 | 2 | unsupported dtype: --dtype=int32", "--out C.npy | 2 | put {rank} into the name",
        "--heap 400TB | 3 | heap larger than free shared memory", "--heap 1KiB | 3 | heap too small",
        "--heap 64KiB --m 64 --n 8 --k 900 | 3 | symmetric heap exhausted"})
    void badInputIsOneSentenceAndAStatus(String options, int status, String sentence) throws Exception {
        Outcome outcome = run(options.split(" "));
        assertThat(outcome.status).as("%s", outcome).isEqualTo(status);
        assertThat(outcome.errors.toString()).contains(sentence).doesNotContain("\tat ");
    }

    private Outcome run(String... options) throws IOException, InterruptedException {
        Path out = Files.createTempFile(temp, "out", ".log");
        Path err = Files.createTempFile(temp, "err", ".log");
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp", System.getProperty("java.class.path"), AllGatherGemmSample.class.getName()));
        command.add(1, "--enable-native-access=ALL-UNNAMED"); // as the tandem command starts it
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        try {
            assertThat(process.waitFor(150, TimeUnit.SECONDS)).as("the run ends").isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Outcome(process.exitValue(), Files.readAllLines(out, StandardCharsets.UTF_8),
                Files.readAllLines(err, StandardCharsets.UTF_8));
    }

    /** A run that lasts until something ends it; its parts are in the middle of kernels nearly all the time. */
    private Process startEndless(Path shared) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                AllGatherGemmSample.class.getName(), "--nproc-per-node", "3", "--m", "300", "--n", "300", "--k", "300",
                "--warmup", "100000000");
        builder.environment().put("TANDEM_SHM_DIR", shared.toString());
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(temp.resolve("endless.log").toFile())
                .start();
        long start = System.nanoTime();
        while (!log().contains("[INFO] C[") && process.isAlive() && System.nanoTime() - start < 100_000_000_000L) {
            process.waitFor(20, TimeUnit.MILLISECONDS);
        }
        assertThat(process.isAlive()).as(log()).isTrue();
        return process;
    }

    private String log() throws IOException {
        return Files.readString(temp.resolve("endless.log"), StandardCharsets.UTF_8);
    }

    private void endsWithNothingLeft(Process process, List<ProcessHandle> ranks, Path shared) throws Exception {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(log()).isTrue();
        assertThat(ranks).as("no rank is left").hasSize(3).noneMatch(ProcessHandle::isAlive);
        try (Stream<Path> left = Files.list(shared)) {
            assertThat(left.toList()).as("shared memory").isEmpty();
        }
        assertThat(log()).doesNotContain("\tat ");
    }

    @Test
    void aRankThatIsKilledInTheMiddleOfTheKernelEndsTheRunWithItsNumberAndSignal() throws Exception {
        Path shared = Files.createDirectory(temp.resolve("shm"));
        Process process = startEndless(shared);
        List<ProcessHandle> ranks = process.children().toList();
        try {
            ranks.get(1).destroyForcibly();
            endsWithNothingLeft(process, ranks, shared);
        } finally {
            ranks.forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(log()).isEqualTo(1);
        assertThat(log()).containsPattern("rank [012].*SIGKILL");
    }

    @Test
    void anInterruptInTheMiddleOfTheKernelEndsAllRanks() throws Exception {
        assumeThat(Path.of("/bin/kill")).as("a system with signals").isExecutable();
        Path shared = Files.createDirectory(temp.resolve("shm"));
        Process process = startEndless(shared);
        List<ProcessHandle> ranks = process.children().toList();
        try {
            new ProcessBuilder("/bin/kill", "-INT", Long.toString(process.pid())).start().waitFor(10, TimeUnit.SECONDS);
            endsWithNothingLeft(process, ranks, shared);
        } finally {
            ranks.forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(log()).isEqualTo(130);
    }

    @Test
    void leavesNothingInSharedMemory() throws Exception {
        Path shared = Files.createDirectory(temp.resolve("shm"));
        ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"), AllGatherGemmSample.class.getName(), "--m", "16", "--n", "16",
                "--k",
                "16");
        builder.environment().put("TANDEM_SHM_DIR", shared.toString());
        Process process = builder.redirectErrorStream(true).redirectOutput(temp.resolve("log").toFile()).start();
        assertThat(process.waitFor(150, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(temp.resolve("log"))).isZero();
        try (Stream<Path> left = Files.list(shared)) {
            assertThat(left.findFirst()).isEqualTo(Optional.empty());
        }
    }
}
