package dev.tandem.core.internal.launch;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A console whose output a test reads. */
public final class CapturedConsole {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Console console = new Console(
            new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8));

    /**
     * Gives the console to write to.
     *
     * @return the console
     */
    public Console console() {
        return console;
    }

    /**
     * Gives what went to standard output.
     *
     * @return the text so far
     */
    public String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    /**
     * Gives what went to standard error.
     *
     * @return the text so far
     */
    public String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
