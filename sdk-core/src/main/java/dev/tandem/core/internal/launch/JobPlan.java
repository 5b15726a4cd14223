package dev.tandem.core.internal.launch;

import dev.tandem.core.UsageException;
import dev.tandem.core.launch.JobSettings;
import java.util.Locale;

/**
 * A job as asked for, validated.
 *
 * @param ranks how many ranks run on this machine, at least 1
 * @param mode where they run
 * @param settings what every rank is told
 * @param masterAddress where rank 0 listens; null if not given
 * @param masterPort its port; 0 for a free one
 * @param tagOutput whether each line says which rank wrote it
 * @param verbose whether failures are shown with where they come from
 */
public record JobPlan(
        int ranks,
        Mode mode,
        JobSettings settings,
        String masterAddress,
        int masterPort,
        boolean tagOutput,
        boolean verbose) {

    /** Where rank 0 listens if all ranks are on one machine. */
    static final String THIS_MACHINE = "127.0.0.1";

    /** Where ranks run. */
    public enum Mode {

        /** One JVM a rank. */
        PROCESS,

        /** All ranks in one JVM. */
        INPROC;

        static Mode of(String text) {
            for (Mode mode : values()) {
                if (mode.name().equalsIgnoreCase(text.strip())) {
                    return mode;
                }
            }
            throw new UsageException("not known: --mode=" + text.toLowerCase(Locale.ROOT)
                    + ", modes=process inproc; give one of them");
        }
    }

    /** The words before a line of a rank. */
    String prefix(int rank) {
        return tagOutput ? "[rank " + rank + "] " : "";
    }
}
