package dev.tandem.core.internal.launch;

import dev.tandem.core.TandemException;
import java.util.Optional;

/**
 * Why a rank failed, in one sentence, on its way from the rank's process to the launcher.
 *
 * <p>It travels as one line of the rank's standard error, which the launcher takes out of the output: only the launcher
 * knows which rank failed first, and so prints the cause once and not once a rank.
 *
 * @param elsewhere whether the failure only repeats that of another rank
 * @param sentence the cause
 */
record FailureReport(boolean elsewhere, String sentence) {

    // A control sequence that no program prints by accident and that a terminal swallows.
    private static final String MARK = "\u001b]tandem-failure;";

    /** Words a failure of a rank. */
    static FailureReport of(Throwable failure) {
        return new FailureReport(ExitStatus.elsewhere(failure), sentence(failure));
    }

    /** Words a failure in one sentence. */
    static String sentence(Throwable failure) {
        String message = failure.getMessage();
        boolean empty = message == null || message.isBlank();
        String text;
        if (failure instanceof TandemException && !empty) {
            text = message;
        } else {
            // Not one of ours: the type is half of what it says.
            text = failure.getClass().getSimpleName() + (empty ? "" : ": " + message);
        }
        return text.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    /** Gives the line that carries the report. */
    String toLine() {
        return MARK + (elsewhere ? '1' : '0') + sentence;
    }

    /** Reads a line; empty if it is none of a report. */
    static Optional<FailureReport> ofLine(String line) {
        if (!line.startsWith(MARK) || line.length() < MARK.length() + 1) {
            return Optional.empty();
        }
        return Optional.of(
                new FailureReport(line.charAt(MARK.length()) == '1', line.substring(MARK.length() + 1)));
    }
}
