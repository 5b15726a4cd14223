package dev.tandem.core.internal.world;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Ids that no two jobs share. Stateless. */
final class JobIds {

    private JobIds() {
    }

    /** Gives a new id of digits and small letters. */
    static String random() {
        byte[] random = new byte[6];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
