package dev.tandem.profiler.internal.chrome;

/** The fields of one event that matter here; reused from event to event. Null is a field that the event does not have. */
final class Event {

    String phase;
    String name;
    String category;
    String process;
    String thread;
    String start;
    String duration;
    /** args.name, the name that a metadata event gives. */
    String givenName;
    /** args["Task Type"], what an Ascend task is. */
    String taskType;

    void clear() {
        phase = null;
        name = null;
        category = null;
        process = null;
        thread = null;
        start = null;
        duration = null;
        givenName = null;
        taskType = null;
    }
}
