package dev.tandem.core.internal.launch;

import dev.tandem.core.AllowedApi;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The job's output: whole lines to standard output and standard error, never mixed. Thread-safe.
 *
 * <p>The only class of the launcher that writes to the process's own streams.
 */
@AllowedApi("the launcher's one way to the process's own streams")
public final class Console {

    private final PrintStream out;
    private final PrintStream err;
    private final ReentrantLock lock = new ReentrantLock();

    /**
     * Creates a console.
     *
     * @param out where results go
     * @param err where failures and progress go
     */
    public Console(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /**
     * Gives the console of this process.
     *
     * @return standard output and standard error
     */
    public static Console ofProcess() {
        return new Console(System.out, System.err);
    }

    /**
     * Writes a line to standard output.
     *
     * @param line text without a line end
     */
    public void out(String line) {
        write(out, line + System.lineSeparator());
    }

    /**
     * Writes a line to standard error.
     *
     * @param line text without a line end
     */
    public void err(String line) {
        write(err, line + System.lineSeparator());
    }

    /**
     * Writes a failure's sentence to standard error.
     *
     * @param sentence what happened
     */
    public void error(String sentence) {
        err("[ERROR] " + sentence);
    }

    /**
     * Words a failure in one sentence.
     *
     * @param failure what went wrong
     * @return its message; behind its type if it is none of Tandem's own
     */
    public static String sentence(Throwable failure) {
        return FailureReport.sentence(failure);
    }

    /**
     * Lets a command write to the streams itself.
     *
     * @param command what writes, and gives an exit status
     * @return the exit status
     * @throws Exception what the command throws
     */
    public int lend(StreamCommand command) throws Exception {
        int status = command.run(out, err);
        out.flush();
        err.flush();
        return status;
    }

    /** Something that writes to two streams and ends with a status. */
    @FunctionalInterface
    public interface StreamCommand {

        /**
         * Runs.
         *
         * @param out where results go
         * @param err where failures and progress go
         * @return the exit status
         * @throws Exception if it fails
         */
        int run(PrintStream out, PrintStream err) throws Exception;
    }

    /**
     * Writes where a failure came from to standard error, for {@code --verbose}.
     *
     * @param failure what went wrong
     */
    public void trace(Throwable failure) {
        lock.lock();
        try {
            failure.printStackTrace(err);
            err.flush();
        } finally {
            lock.unlock();
        }
    }

    PrintStream stream(boolean standardError) {
        return standardError ? err : out;
    }

    /** Writes whole lines at once. */
    void write(PrintStream stream, String lines) {
        lock.lock();
        try {
            if (lines.length() > 0) {
                // One call, so that a stream shared with other processes gets the line in one write.
                byte[] bytes = lines.getBytes(stream.charset() == null ? StandardCharsets.UTF_8 : stream.charset());
                stream.write(bytes, 0, bytes.length);
            }
            stream.flush();
        } finally {
            lock.unlock();
        }
    }
}
