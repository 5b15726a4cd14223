package dev.tandem.core.internal.launch;

/** Shutdown hooks that hold for as long as a job runs. Stateless. */
final class ShutdownHooks {

    /** What a user reads after Ctrl-C. */
    static final String INTERRUPTED = "Interrupted: all ranks were stopped.";

    private ShutdownHooks() {
    }

    /** Withdraws a hook, unless this process is ending: then the hook runs and has the last word. */
    static void withdraw(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // "Shutdown in progress", the one thing that this says.
            return;
        }
    }
}
