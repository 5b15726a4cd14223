package dev.tandem.core.internal.launch;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A rank's process as its launcher sees it: its output on the way to the console, its end, and why it failed.
 *
 * <p>The process's standard input stays open, unused, as long as the launcher lives; {@link ParentWatch} is at its other
 * end. Thread-safe.
 */
final class RankProcess {

    private final int rank;
    private final Process process;
    private final RecentLines recent = new RecentLines();
    private final List<Thread> carriers;
    private volatile FailureReport report;
    private volatile long reportedNs;
    private volatile boolean stopped;

    private RankProcess(int rank, Process process, Console console, String prefix) {
        this.rank = rank;
        this.process = process;
        this.carriers = List.of(
                carrier("out", process.getInputStream(), console, false, prefix),
                carrier("err", process.getErrorStream(), console, true, prefix));
    }

    /** Starts a rank with variables added to, and taken from ({@code null}), this process's own. */
    static RankProcess start(
            int rank, List<String> command, Map<String, String> variables, Console console, String prefix)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        variables.forEach((name, value) -> {
            if (value == null) {
                builder.environment().remove(name);
            } else {
                builder.environment().put(name, value);
            }
        });
        return new RankProcess(rank, builder.start(), console, prefix);
    }

    private Thread carrier(String name, InputStream source, Console console, boolean standardError, String prefix) {
        Lines lines = new Lines(source, console, standardError, prefix, recent, this::report);
        return Thread.ofPlatform().daemon().name("tandem-rank-" + rank + "-" + name).start(lines);
    }

    private synchronized void report(FailureReport failure) {
        if (report == null) {
            reportedNs = System.nanoTime();
            report = failure;
        }
    }

    int rank() {
        return rank;
    }

    /** Calls {@code action} once, when the process has ended, on some thread. */
    void onEnd(Consumer<RankProcess> action) {
        process.onExit().thenAccept(ended -> action.accept(this));
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Gives the exit status of a process that has ended. */
    int status() {
        return process.exitValue();
    }

    /** Gives why the rank failed, if it has told; null otherwise. */
    FailureReport report() {
        return report;
    }

    /** Gives the moment of the report, in {@link System#nanoTime()}'s time. */
    long reportedNs() {
        return reportedNs;
    }

    /** Gives the last lines that the rank wrote. */
    List<String> lastLines() {
        return recent.lines();
    }

    /** Says whether the launcher ended this process, so that its status means nothing. */
    boolean stopped() {
        return stopped;
    }

    /** Asks the process to end. */
    void stop() {
        if (process.isAlive()) {
            stopped = true;
            process.destroy();
        }
    }

    /** Ends the process, and what it has started. */
    void kill() {
        if (process.isAlive()) {
            stopped = true;
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Waits until the process has ended; false if it has not after {@code timeoutNs}. */
    boolean awaitEnd(long timeoutNs) throws InterruptedException {
        return process.waitFor(timeoutNs, TimeUnit.NANOSECONDS);
    }

    /** Waits, for a bounded time, until all that the ended process wrote is on the console. */
    void awaitOutput(long timeoutNs) throws InterruptedException {
        // Bounded, because a process that the rank has started may hold its output open for ever.
        long endNs = System.nanoTime() + timeoutNs;
        for (Thread carrier : carriers) {
            carrier.join(Duration.ofNanos(Math.max(1, endNs - System.nanoTime())));
        }
    }
}
