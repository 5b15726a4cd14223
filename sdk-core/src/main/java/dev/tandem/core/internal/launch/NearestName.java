package dev.tandem.core.internal.launch;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds what somebody who mistyped a name may have meant. Stateless. */
public final class NearestName {

    private NearestName() {
    }

    /**
     * Finds the known name that takes the fewest edits to reach.
     *
     * @param typed what was typed
     * @param known the names there are
     * @return the nearest name; empty if none is near, that is, within a third of its length and at most 5 edits, or
     *     begins as typed
     */
    public static Optional<String> to(String typed, Collection<String> known) {
        String wanted = typed.toLowerCase(Locale.ROOT);
        String nearest = null;
        int fewest = Integer.MAX_VALUE;
        for (String name : known) {
            String candidate = name.toLowerCase(Locale.ROOT);
            int edits = edits(wanted, candidate);
            boolean near = edits <= Math.min(5, Math.max(1, candidate.length() / 3))
                    || wanted.length() >= 3 && candidate.startsWith(wanted);
            if (near && edits < fewest) {
                nearest = name;
                fewest = edits;
            }
        }
        return Optional.ofNullable(nearest);
    }

    /** Counts insertions, deletions, replacements and swaps of neighbours between two words. */
    static int edits(String from, String to) {
        int[] beforeLast = new int[to.length() + 1];
        int[] last = new int[to.length() + 1];
        int[] row = new int[to.length() + 1];
        Arrays.setAll(last, j -> j);
        for (int i = 1; i <= from.length(); i++) {
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replace = last[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replace, Math.min(last[j], row[j - 1]) + 1);
                if (i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            int[] spare = beforeLast;
            beforeLast = last;
            last = row;
            row = spare;
        }
        return last[to.length()];
    }
}
