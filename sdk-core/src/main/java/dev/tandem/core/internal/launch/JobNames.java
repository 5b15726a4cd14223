package dev.tandem.core.internal.launch;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Names and secrets that no two jobs share. Stateless. */
final class JobNames {

    private JobNames() {
    }

    /** Gives a new job's id: letters, digits and {@code -}. */
    static String jobId() {
        return random(6);
    }

    /** Gives a new job's secret. */
    static String secret() {
        return random(16);
    }

    private static String random(int bytes) {
        byte[] random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
