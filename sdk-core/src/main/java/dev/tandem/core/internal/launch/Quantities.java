package dev.tandem.core.internal.launch;

import dev.tandem.core.UsageException;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Sizes and durations as people write them: {@code 64MiB}, {@code 3GB}, {@code 500ms}, {@code 1.5s}.
 *
 * <p>Decimal and binary units are never mixed up: kB, MB, GB, TB are powers of 1000 and KiB, MiB, GiB, TiB powers of 1024;
 * a bare {@code 3G} is refused because it could be either. Stateless.
 */
public final class Quantities {

    private static final Map<String, Long> BYTES = units(
            "B",
            1L,
            "kB",
            1_000L,
            "MB",
            1_000_000L,
            "GB",
            1_000_000_000L,
            "TB",
            1_000_000_000_000L,
            "KiB",
            1L << 10,
            "MiB",
            1L << 20,
            "GiB",
            1L << 30,
            "TiB",
            1L << 40);

    private static final Map<String, Long> NANOSECONDS = units(
            "ns",
            1L,
            "us",
            1_000L,
            "ms",
            1_000_000L,
            "s",
            1_000_000_000L,
            "min",
            60_000_000_000L,
            "h",
            3_600_000_000_000L);

    private Quantities() {
    }

    /**
     * Reads a size.
     *
     * @param text a number, and a unit unless it is bytes
     * @param name what the size is of, for the message
     * @return bytes, at least 0
     * @throws UsageException if it is no size, negative, no whole number of bytes, or beyond 2^63
     */
    public static long bytes(String text, String name) {
        return read(text, name, BYTES, 1L, "a size such as 64MiB or 3GiB (GB = 10^9, GiB = 2^30)", "bytes");
    }

    /**
     * Reads a duration.
     *
     * @param text a number and a unit, or 0
     * @param name what the duration is of, for the message
     * @return nanoseconds, at least 0
     * @throws UsageException if it is no duration, negative, no whole number of nanoseconds, or beyond 2^63
     */
    public static long nanoseconds(String text, String name) {
        return read(text, name, NANOSECONDS, 0L, "a duration such as 30s, 500ms or 2min", "nanoseconds");
    }

    /** A scale of 0 for a bare number means that only 0 may stand bare. */
    private static long read(
            String text, String name, Map<String, Long> units, long bareScale, String example, String smallest) {
        String trimmed = text.strip();
        int end = 0;
        while (end < trimmed.length() && "+-.0123456789".indexOf(trimmed.charAt(end)) >= 0) {
            end++;
        }
        BigDecimal number = number(trimmed.substring(0, end));
        String unit = trimmed.substring(end).strip();
        if (number == null) {
            throw new UsageException("not understood: " + name + "=" + text + "; give " + example);
        }
        if (number.signum() < 0) {
            throw new UsageException("negative: " + name + "=" + text + "; give " + example);
        }
        Long scale = unit.isEmpty() ? Long.valueOf(bareScale) : find(units, unit);
        if (scale == null || (scale == 0 && number.signum() != 0)) {
            throw new UsageException("unit " + (scale == null ? "not known" : "missing") + ": " + name + "=" + text
                    + ", units=" + String.join(" ", units.keySet()) + "; give " + example);
        }
        try {
            return number.multiply(BigDecimal.valueOf(scale)).longValueExact();
        } catch (ArithmeticException e) {
            throw new UsageException(
                    "not a whole number of " + smallest + " below 2^63: " + name + "=" + text + "; give " + example, e);
        }
    }

    private static BigDecimal number(String text) {
        // A BigDecimal of a few kilobytes of digits is harmless, one with an exponent is not: "1e999999999" has no unit
        // here because an exponent is not among the characters that a number may have.
        try {
            return text.isEmpty() ? null : new BigDecimal(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Units are found whatever their case, as long as that leaves one meaning: no two units here differ in case only. */
    private static Long find(Map<String, Long> units, String unit) {
        for (Map.Entry<String, Long> known : units.entrySet()) {
            if (known.getKey().toLowerCase(Locale.ROOT).equals(unit.toLowerCase(Locale.ROOT))) {
                return known.getValue();
            }
        }
        return null;
    }

    private static Map<String, Long> units(Object... namesAndScales) {
        Map<String, Long> units = new LinkedHashMap<>();
        for (int i = 0; i < namesAndScales.length; i += 2) {
            units.put((String) namesAndScales[i], (Long) namesAndScales[i + 1]);
        }
        return units;
    }
}
