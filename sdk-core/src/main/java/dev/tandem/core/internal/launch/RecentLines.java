package dev.tandem.core.internal.launch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last lines that a rank wrote, to either stream. Thread-safe. */
final class RecentLines {

    /** How many lines are remembered. */
    static final int REMEMBERED = 8;

    private final Deque<String> lines = new ArrayDeque<>();

    /** Notes a line. */
    synchronized void add(String line) {
        lines.addLast(line);
        if (lines.size() > REMEMBERED) {
            lines.removeFirst();
        }
    }

    /** Gives the lines, oldest first. */
    synchronized List<String> lines() {
        return List.copyOf(lines);
    }
}
