package dev.tandem.core.launch;

import dev.tandem.core.Check;

/**
 * The settings of one job, equal on all of its ranks, validated once before any rank starts.
 *
 * @param timeoutNs how long a wait may last, in nanoseconds; 0 means for ever
 * @param heapBytes size of each rank's symmetric heap in bytes; 0 means: as the heap chooses
 * @param logicalCores AI cores of each rank's device; 0 means: as the device chooses
 */
public record JobSettings(long timeoutNs, long heapBytes, int logicalCores) {

    /** The timeout where nothing else is asked for: a minute. */
    public static final long DEFAULT_TIMEOUT_NS = 60_000_000_000L;

    /** Checks the settings. */
    public JobSettings {
        Check.notNegative(timeoutNs, "timeoutNs");
        Check.notNegative(heapBytes, "heapBytes");
        Check.notNegative(logicalCores, "logicalCores");
    }

    /**
     * Gives the settings of a job that asks for nothing.
     *
     * @return one minute, everything else as its owner chooses
     */
    public static JobSettings defaults() {
        return new JobSettings(DEFAULT_TIMEOUT_NS, 0, 0);
    }
}
