package dev.tandem.kernels.internal.runtime;

import dev.tandem.core.JobAbortedException;
import dev.tandem.core.PeerLostException;
import dev.tandem.core.SetupException;
import dev.tandem.core.TandemException;
import dev.tandem.core.TimedOutException;
import dev.tandem.core.UsageException;
import dev.tandem.kernels.tile.Part;

/**
 * Which part of which launch a thread runs; what every message about it says.
 *
 * @param kernel the kernel's name
 * @param rank the rank
 * @param ranks number of ranks
 * @param program the program
 * @param programs number of programs
 * @param part the half of the core
 */
record Placement(String kernel, int rank, int ranks, int program, int programs, Part part) {

    /** Names the thread. */
    String threadName() {
        return "rank " + rank + " kernel " + kernel + " program " + program + " " + part;
    }

    private String prefix() {
        return "kernel " + kernel + ", rank " + rank + ", program " + program + " " + part + ": ";
    }

    /** Gives the same failure with its place, once. */
    TandemException located(TandemException failure) {
        String message = String.valueOf(failure.getMessage());
        if (message.startsWith(prefix())) {
            return failure;
        }
        String located = prefix() + message;
        return switch (failure) {
            case UsageException e -> new UsageException(located, e);
            case SetupException e -> new SetupException(located, e);
            case TimedOutException e -> new TimedOutException(located, e);
            case JobAbortedException e -> e;
            case PeerLostException e -> e;
        };
    }

    /** Gives the refusal of a call of the language with its place. */
    UsageException refusal(String message) {
        return new UsageException(prefix() + message);
    }

    /** Gives whatever left the kernel as a failure that names its place. */
    TandemException failure(Throwable cause) {
        if (cause instanceof TandemException ours) {
            return located(ours);
        }
        return new UsageException(prefix() + "exception in the kernel: " + cause
                + "; the cause below shows the line of the kernel", cause);
    }
}
