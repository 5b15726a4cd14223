package dev.tandem.profiler.internal.chrome;

/** Turns the decimal text of microseconds into integer nanoseconds, exactly; no double is involved. */
final class Microseconds {

    /** What {@link #toNs} gives for text that is no number, or one beyond 64 bits of nanoseconds. */
    static final long NONE = Long.MIN_VALUE;

    private static final long LIMIT = Long.MAX_VALUE / 10 - 1;

    private Microseconds() {
    }

    /** Gives nanoseconds, rounded to the nearest (half away from zero), or {@link #NONE}. */
    static long toNs(String text) {
        String number = text.strip();
        int exponentAt = Math.max(number.indexOf('e'), number.indexOf('E'));
        int shift = 3;
        if (exponentAt >= 0) {
            try {
                shift += Math.clamp(Long.parseLong(number, exponentAt + 1, number.length(), 10), -400, 400);
            } catch (NumberFormatException e) {
                return NONE;
            }
            number = number.substring(0, exponentAt);
        }
        boolean negative = number.startsWith("-");
        int from = negative || number.startsWith("+") ? 1 : 0;
        String body = number.substring(from);
        int point = body.indexOf('.');
        String digits = point < 0 ? body : body.substring(0, point) + body.substring(point + 1);
        int whole = (point < 0 ? body.length() : point) + shift;
        return value(digits, whole, negative);
    }

    /** Takes {@code whole} digits, zeros added behind where there are too few, and rounds by the next one. */
    private static long value(String digits, int whole, boolean negative) {
        if (digits.isEmpty()) {
            return NONE;
        }
        long value = 0;
        boolean up = false;
        for (int i = 0; i < Math.max(digits.length(), whole); i++) {
            int digit = i < digits.length() ? digits.charAt(i) - '0' : 0;
            if (digit < 0 || digit > 9) {
                return NONE;
            }
            if (i < whole) {
                if (value > LIMIT) {
                    return NONE;
                }
                value = value * 10 + digit;
            } else if (i == whole) {
                up = digit >= 5;
            }
        }
        value += up ? 1 : 0;
        return negative ? -value : value;
    }
}
