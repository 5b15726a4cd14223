package dev.tandem.core.internal.launch;

import java.util.List;

/**
 * What a launcher says after a job that failed; the same words in both modes.
 *
 * @param rank the rank that failed first
 * @param ranks how many there are
 * @param status its exit status, or 128 plus the number of the signal that ended it
 * @param report why, as the rank has told; null if it has not
 * @param lastLines what it wrote last
 */
record Verdict(int rank, int ranks, int status, FailureReport report, List<String> lastLines) {

    /** Says which rank failed first, how and why. */
    void print(Console console) {
        if (report != null && report.elsewhere()) {
            // Every rank has only followed: the sentence names the one that was lost.
            console.error("Job failed: " + report.sentence());
            return;
        }
        if (report != null) {
            console.error("Rank " + rank + ": " + report.sentence());
        } else if (!lastLines.isEmpty()) {
            console.error("Rank " + rank + " wrote last:");
            lastLines.forEach(line -> console.err("        | " + line));
        }
        console.error("Job failed: rank " + rank + " of " + ranks + " was the first to fail, by "
                + ExitStatus.describe(status) + (ranks > 1 ? "; the other ranks were stopped." : "."));
    }

    /** Gives the exit status of the job. */
    int exitStatus() {
        return status == ExitStatus.SETUP ? ExitStatus.SETUP : ExitStatus.RANK_FAILED;
    }
}
