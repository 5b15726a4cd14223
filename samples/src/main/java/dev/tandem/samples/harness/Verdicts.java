package dev.tandem.samples.harness;

import dev.tandem.core.launch.RankContext;
import java.util.ArrayList;
import java.util.List;

/**
 * How the ranks of a sample agree on its outcome: every rank states its own verdict, all verdicts are exchanged and
 * printed in rank order, and only then does the run fail, on all ranks alike. A rank that threw at its own mismatch
 * would leave the others hanging in the exchange.
 */
public final class Verdicts {

    private Verdicts() {
    }

    /**
     * Collective. Prints each rank's verdict and the run's.
     *
     * @param rank this rank
     * @param passed whether this rank's result is right
     * @param detail what this rank found, printed behind {@code [PASS] Rank r: } or {@code [FAIL] Rank r: }
     * @return exit status of this rank: 0 if every rank passed, else 1
     */
    public static int exchange(RankContext rank, boolean passed, String detail) {
        int me = rank.world().rank();
        rank.printInOrder((passed ? "[PASS] Rank " : "[FAIL] Rank ") + me + ": " + detail);
        List<byte[]> flags = rank.world().group().allGather(new byte[]{(byte) (passed ? 1 : 0)});
        List<Integer> failed = new ArrayList<>();
        for (int r = 0; r < flags.size(); r++) {
            if (flags.get(r)[0] != 1) {
                failed.add(r);
            }
        }
        String summary = failed.isEmpty()
                ? "[INFO] Test passed successfully for " + flags.size() + " ranks!"
                : "[FAIL] Test failed on " + failed.size() + " of " + flags.size() + " ranks: " + failed;
        rank.printInOrder(me == 0 ? summary : null);
        return failed.isEmpty() ? 0 : 1;
    }
}
