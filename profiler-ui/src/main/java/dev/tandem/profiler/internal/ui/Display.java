package dev.tandem.profiler.internal.ui;

import java.awt.AWTError;
import java.awt.GraphicsEnvironment;
import java.awt.HeadlessException;
import java.util.Optional;

/** Whether windows can be shown here. */
public final class Display {

    private Display() {
    }

    /** Says why no window can be shown; empty if one can. */
    public static Optional<String> missing() {
        try {
            if (GraphicsEnvironment.isHeadless()) {
                return Optional.of("this JVM is headless (no DISPLAY, or java.awt.headless=true)");
            }
            GraphicsEnvironment.getLocalGraphicsEnvironment().getDefaultScreenDevice();
            return Optional.empty();
        } catch (HeadlessException | AWTError | UnsatisfiedLinkError | NoClassDefFoundError e) {
            return Optional.of(String.valueOf(e.getMessage()).lines().findFirst().orElse("no display").strip());
        }
    }
}
