package dev.tandem.core.internal.launch;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Makes Guice work without {@code sun.misc.Unsafe}, whose use makes the JVM print warnings, and without a log of its own
 * of what it also throws.
 *
 * <p>Guice reads its options from system properties when its classes load, so this is called before the first injector.
 * An option that is set already stays. Thread-safe.
 */
final class GuiceOptions {

    /** Whether Guice generates classes. */
    static final String BYTECODE = "guice_bytecode_gen_option";

    /** No, it does not. */
    static final String BYTECODE_OFF = "DISABLED";

    private static final String CLASS_LOADING = "guice_custom_class_loading";

    /** Held, because a logger that nobody holds forgets its level. */
    private static final Logger LOG = Logger.getLogger("com.google.inject");

    private GuiceOptions() {
    }

    /** Applies the options, unless the application has chosen. */
    static void apply() {
        if (System.getProperty(BYTECODE) == null && System.getProperty(CLASS_LOADING) == null) {
            // A child class loader keeps method interception working for an application that shares this JVM.
            System.setProperty(CLASS_LOADING, "CHILD");
        }
        if (LOG.getLevel() == null) {
            LOG.setLevel(Level.WARNING);
        }
    }
}
