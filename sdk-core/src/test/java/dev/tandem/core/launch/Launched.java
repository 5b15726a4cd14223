package dev.tandem.core.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A JVM that runs {@link TestProgram}, with its output in files. Ends with the test: closing kills what is left and fails. */
final class Launched implements AutoCloseable {

    private static final long DEADLINE_S = 90;
    private static final Pattern PID = Pattern.compile("pid of rank \\d+: (\\d+)");

    private final Process process;
    private final Path out;
    private final Path err;

    private Launched(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts the program with arguments. */
    static Launched start(Path folder, String... arguments) throws IOException {
        return start(folder, Map.of(), arguments);
    }

    /** Starts the program with variables added to the environment. */
    static Launched start(Path folder, Map<String, String> variables, String... arguments) throws IOException {
        Path out = Files.createTempFile(folder, "out", ".txt");
        Path err = Files.createTempFile(folder, "err", ".txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                TestProgram.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("TANDEM_"));
        builder.environment().putAll(variables);
        builder.redirectOutput(out.toFile()).redirectError(err.toFile());
        return new Launched(builder.start(), out, err);
    }

    long pid() {
        return process.pid();
    }

    /** Gives what the job wrote to standard output so far. */
    List<String> out() {
        return lines(out);
    }

    /** Gives what the job wrote to standard error so far. */
    List<String> err() {
        return lines(err);
    }

    /** Gives the lines of standard output but those with process ids. */
    List<String> outWithoutPids() {
        return out().stream().filter(line -> !PID.matcher(line).find()).toList();
    }

    private static List<String> lines(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the job's end and gives its exit status. */
    int status() throws InterruptedException {
        if (!process.waitFor(DEADLINE_S, TimeUnit.SECONDS)) {
            fail("job still runs after %d s; output %s, errors %s", DEADLINE_S, out(), err());
        }
        return process.exitValue();
    }

    /** Gives the ranks' process ids, as they have printed them. */
    List<Long> rankPids() {
        List<Long> pids = new ArrayList<>();
        for (String line : out()) {
            Matcher matcher = PID.matcher(line);
            if (matcher.find()) {
                pids.add(Long.valueOf(matcher.group(1)));
            }
        }
        return pids;
    }

    /** Waits until so many ranks have printed their process ids and gives these. */
    List<Long> awaitRankPids(int ranks) {
        await("process ids of " + ranks + " ranks", () -> rankPids().size() == ranks || !process.isAlive());
        assertThat(rankPids()).as("process ids; output %s, errors %s", out(), err()).hasSize(ranks);
        return rankPids();
    }

    /** Waits until {@code condition} holds. */
    void await(String what, BooleanSupplier condition) {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - endNs > 0) {
                fail("no %s after %d s; output %s, errors %s", what, DEADLINE_S, out(), err());
            }
            LockSupport.parkNanos(5_000_000L);
        }
    }

    /** Waits until processes are gone. */
    void awaitGone(List<Long> pids) {
        await("end of processes " + pids, () -> pids.stream().noneMatch(Launched::alive));
    }

    /** A process that has ended and that nobody has collected yet is gone as well. */
    private static boolean alive(long pid) {
        Optional<ProcessHandle> process = ProcessHandle.of(pid);
        if (process.isEmpty() || !process.get().isAlive()) {
            return false;
        }
        try {
            return !Files.readString(Path.of("/proc", Long.toString(pid), "stat")).contains(") Z ");
        } catch (IOException e) {
            return process.get().isAlive();
        }
    }

    /** Sends a signal to the launcher alone. */
    void signal(String name) throws IOException, InterruptedException {
        signal(name, process.pid());
    }

    /** Sends a signal to a process. */
    static void signal(String name, long pid) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).inheritIO().start();
        assertThat(kill.waitFor(DEADLINE_S, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() {
        List<Long> left = new ArrayList<>();
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        rankPids().forEach(pid -> ProcessHandle.of(pid).ifPresent(all::add));
        for (ProcessHandle handle : all) {
            if (alive(handle.pid())) {
                left.add(handle.pid());
                handle.destroyForcibly();
            }
        }
        assertThat(left).as("processes left alive").isEmpty();
    }
}
