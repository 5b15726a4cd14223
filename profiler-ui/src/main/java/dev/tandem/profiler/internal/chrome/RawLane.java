package dev.tandem.profiler.internal.chrome;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/** The events of one thread while names are still unknown, since metadata may come last. */
final class RawLane {

    /** A whole slice. */
    record Slice(long startNs, long durationNs, String name, String category, String taskType) {
    }

    /** Where a slice begins or ends. */
    record Mark(boolean begins, long atNs, String name, String category, String taskType) {
    }

    final String process;
    final String thread;
    final List<Slice> slices = new ArrayList<>();
    private final List<Mark> marks = new ArrayList<>();

    RawLane(String process, String thread) {
        this.process = process;
        this.thread = thread;
    }

    void add(Mark mark) {
        marks.add(mark);
    }

    /**
     * Makes slices of begins and ends, in the order of time: an end closes the last open slice of its name, or the last
     * open one if none has its name.
     *
     * @param endNs where slices end that are never closed
     */
    void pair(long endNs, Notes notes) {
        marks.sort(Comparator.comparingLong(Mark::atNs));
        Deque<Mark> open = new ArrayDeque<>();
        for (Mark mark : marks) {
            if (mark.begins()) {
                open.push(mark);
            } else if (open.isEmpty()) {
                notes.count("end events without a begin, skipped");
            } else {
                close(takeNamed(open, mark.name(), notes), mark.atNs());
            }
        }
        for (Mark begin : open) {
            notes.count("slices never ended, closed at the end of the trace");
            close(begin, Math.max(begin.atNs(), endNs));
        }
        marks.clear();
    }

    private static Mark takeNamed(Deque<Mark> open, String name, Notes notes) {
        if (name.isEmpty() || open.peek().name().equals(name)) {
            return open.pop();
        }
        notes.count("end events that do not name the last begin, matched by name where one is open");
        for (Iterator<Mark> marks = open.iterator(); marks.hasNext();) {
            Mark begin = marks.next();
            if (begin.name().equals(name)) {
                marks.remove();
                return begin;
            }
        }
        return open.pop();
    }

    private void close(Mark begin, long endNs) {
        slices.add(new Slice(begin.atNs(), endNs - begin.atNs(), begin.name(), begin.category(), begin.taskType()));
    }
}
