package dev.tandem.profiler.internal.chrome;

import dev.tandem.profiler.trace.Lane;
import dev.tandem.profiler.trace.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Takes events as they come and makes a trace of them at the end, when all names are known. For one thread. */
final class EventCollector {

    private record LaneKey(String process, String thread) {
    }

    private final Map<LaneKey, RawLane> lanes = new LinkedHashMap<>();
    private final Map<String, String> processNames = new HashMap<>();
    private final Map<LaneKey, String> threadNames = new HashMap<>();
    private final Map<String, String> texts = new HashMap<>();
    private final Notes notes = new Notes();
    private long events;
    private long lastNs = Long.MIN_VALUE;
    private boolean fileIsOneRank;
    private String rank;

    long events() {
        return events;
    }

    Notes notes() {
        return notes;
    }

    /** Says that the file is one rank's, whatever devices it names. */
    void distributedRank(String number) {
        fileIsOneRank = true;
        rank = number == null ? rank : "rank " + number;
    }

    void add(Event event) {
        events++;
        String phase = event.phase == null ? "" : event.phase;
        switch (phase) {
            case "X", "B", "E" -> timed(event);
            case "M" -> name(event);
            case "i", "I", "R" -> notes.count("instant events, skipped");
            case "C" -> notes.count("counter events, skipped");
            case "s", "t", "f" -> notes.count("flow events, skipped");
            case "b", "n", "e", "S", "T", "p", "F" -> notes.count("asynchronous events, skipped");
            case "N", "O", "D" -> notes.count("object events, skipped");
            case "P" -> notes.count("samples, skipped");
            case "" -> notes.count("events without a phase, skipped");
            default -> notes.count("events of the unknown phase '" + phase.substring(0, Math.min(8, phase.length()))
                    + "', skipped");
        }
    }

    private void timed(Event event) {
        long startNs = event.start == null ? Microseconds.NONE : Microseconds.toNs(event.start);
        if (startNs == Microseconds.NONE) {
            notes.count("slices without a valid start, skipped");
            return;
        }
        long durationNs = 0;
        if (event.phase.equals("X")) {
            if (event.duration == null) {
                notes.count("slices without a duration, kept with none");
            } else {
                durationNs = Microseconds.toNs(event.duration);
            }
        }
        if (durationNs < 0 || startNs + durationNs < startNs) {
            notes.count("slices without a valid duration, skipped");
            return;
        }
        lastNs = Math.max(lastNs, startNs + durationNs);
        RawLane lane = lanes.computeIfAbsent(new LaneKey(text(event.process), text(event.thread)),
                key -> new RawLane(key.process(), key.thread()));
        String name = text(event.name);
        String category = text(event.category);
        String taskType = text(event.taskType);
        if (event.phase.equals("X")) {
            lane.slices.add(new RawLane.Slice(startNs, durationNs, name, category, taskType));
        } else {
            lane.add(new RawLane.Mark(event.phase.equals("B"), startNs, name, category, taskType));
        }
        fileIsOneRank |= Classifier.isGpuWork(category);
    }

    private void name(Event event) {
        String what = text(event.name);
        if (event.givenName != null && what.equals("process_name")) {
            processNames.put(text(event.process), text(event.givenName));
        } else if (event.givenName != null && what.equals("thread_name")) {
            threadNames.put(new LaneKey(text(event.process), text(event.thread)), text(event.givenName));
        } else {
            notes.count("metadata other than names, skipped");
        }
    }

    /** One object for equal texts; an absent text is empty. */
    private String text(String text) {
        if (text == null) {
            return "";
        }
        String known = texts.putIfAbsent(text, text);
        return known == null ? text : known;
    }

    Trace build(String title) {
        fileIsOneRank |= processNames.containsValue(Classifier.ASCEND_DEVICE);
        List<Lane> built = new ArrayList<>();
        for (RawLane raw : lanes.values()) {
            raw.pair(lastNs, notes);
            if (raw.slices.isEmpty()) {
                continue;
            }
            String process = processNames.getOrDefault(raw.process, "process " + raw.process);
            String thread = threadNames.getOrDefault(new LaneKey(raw.process, raw.thread), "thread " + raw.thread);
            String label = fileIsOneRank ? rank == null ? title : rank : process;
            Lane.Builder lane = Lane.of(label, process, thread);
            for (RawLane.Slice slice : raw.slices) {
                lane.add(slice.startNs(), slice.durationNs(), slice.name(), Classifier.classify(process, thread,
                        slice.name(), slice.category(), slice.taskType()));
            }
            built.add(lane.build());
            raw.slices.clear();
        }
        return new Trace(title, built, notes.counts());
    }
}
