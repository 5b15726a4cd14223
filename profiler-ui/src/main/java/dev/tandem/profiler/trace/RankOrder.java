package dev.tandem.profiler.trace;

import java.util.Comparator;

/** Sorts labels as people do: a number at the end by its value. */
enum RankOrder implements Comparator<String> {
    INSTANCE;

    @Override
    public int compare(String a, String b) {
        int aDigits = digitsFrom(a);
        int bDigits = digitsFrom(b);
        int order = a.substring(0, aDigits).compareTo(b.substring(0, bDigits));
        if (order == 0) {
            order = Integer.compare(a.length() - aDigits, b.length() - bDigits);
        }
        return order != 0 ? order : a.compareTo(b);
    }

    /** Where the number at the end begins, past its leading zeros. */
    private static int digitsFrom(String label) {
        int from = label.length();
        while (from > 0 && label.charAt(from - 1) >= '0' && label.charAt(from - 1) <= '9') {
            from--;
        }
        while (from < label.length() - 1 && label.charAt(from) == '0') {
            from++;
        }
        return from;
    }
}
