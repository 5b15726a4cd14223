package dev.tandem.core.internal.launch;

/** Which Tandem this is. Stateless. */
public final class Version {

    private Version() {
    }

    /**
     * Words the version, and the Java that it runs on.
     *
     * @return one line
     */
    public static String text() {
        return "Tandem " + number() + " (Java " + Runtime.version() + ", " + System.getProperty("os.name") + " "
                + System.getProperty("os.arch") + ")";
    }

    private static String number() {
        Module module = Version.class.getModule();
        if (module.isNamed() && module.getDescriptor().rawVersion().isPresent()) {
            return module.getDescriptor().rawVersion().get();
        }
        String fromManifest = Version.class.getPackage().getImplementationVersion();
        return fromManifest != null ? fromManifest : "development build";
    }
}
