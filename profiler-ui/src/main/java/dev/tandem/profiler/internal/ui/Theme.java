package dev.tandem.profiler.internal.ui;

import com.formdev.flatlaf.FlatDarkLaf;
import com.formdev.flatlaf.FlatLaf;
import com.formdev.flatlaf.FlatLightLaf;
import java.awt.Toolkit;
import java.util.Locale;

/** How the window looks. */
public enum Theme {
    /** As the desktop: dark if GNOME's theme is a dark one, else light. */
    SYSTEM,
    /** Dark on light. */
    LIGHT,
    /** Light on dark. */
    DARK;

    /** Whether this is dark on the desktop at hand. */
    boolean isDark() {
        return switch (this) {
            case LIGHT -> false;
            case DARK -> true;
            case SYSTEM -> Toolkit.getDefaultToolkit()
                    .getDesktopProperty("gnome.Net/ThemeName") instanceof String name
                    && name.toLowerCase(Locale.ROOT).contains("dark");
        };
    }

    /** Makes this the look of windows to come and of those that are open. */
    void apply() {
        FlatLaf.setup(isDark() ? new FlatDarkLaf() : new FlatLightLaf());
        FlatLaf.updateUI();
    }
}
