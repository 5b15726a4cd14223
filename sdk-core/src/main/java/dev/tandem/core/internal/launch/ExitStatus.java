package dev.tandem.core.internal.launch;

import dev.tandem.core.JobAbortedException;
import dev.tandem.core.PeerLostException;
import dev.tandem.core.SetupException;
import dev.tandem.core.UsageException;

/** What the exit statuses of Tandem's processes mean. The first five are documented for users. */
public final class ExitStatus {

    /** Every rank ended with success. */
    public static final int OK = 0;

    /** A rank failed. */
    public static final int RANK_FAILED = 1;

    /** The command line is wrong; nothing was started. */
    public static final int USAGE = 2;

    /** The machine or the environment does not allow the job. */
    public static final int SETUP = 3;

    /** The job was interrupted. */
    public static final int INTERRUPTED = 130;

    /**
     * A rank under Tandem's own launcher ended because another rank failed first. Never the status of a job; tells the
     * launcher that the cause is elsewhere.
     */
    static final int FAILED_ELSEWHERE = 117;

    private ExitStatus() {
    }

    /**
     * Gives the status for a failure before any rank ran.
     *
     * @param failure what went wrong
     * @return {@link #USAGE}, {@link #SETUP} or {@link #RANK_FAILED}
     */
    public static int beforeRanks(Throwable failure) {
        return failure instanceof UsageException ? USAGE : ofRank(failure);
    }

    /**
     * Gives the status for a failure of a rank.
     *
     * @param failure what went wrong
     * @return {@link #SETUP} or {@link #RANK_FAILED}
     */
    static int ofRank(Throwable failure) {
        return failure instanceof SetupException ? SETUP : RANK_FAILED;
    }

    /**
     * Says whether a rank's failure only repeats another rank's.
     *
     * @param failure what went wrong on a rank
     * @return true if the first cause is elsewhere in the job
     */
    static boolean elsewhere(Throwable failure) {
        return failure instanceof JobAbortedException || failure instanceof PeerLostException;
    }

    /**
     * Says whether a status is that of a process which Ctrl-C, a closed terminal or a request to terminate has ended.
     *
     * @param status a process's exit status
     * @return true for SIGHUP, SIGINT and SIGTERM
     */
    static boolean interrupted(int status) {
        return status == 129 || status == INTERRUPTED || status == 143;
    }

    /**
     * Words the end of a process.
     *
     * @param status exit status, or 128 plus the number of the signal that ended it
     * @return for example {@code exit status 7} or {@code SIGKILL (9)}
     */
    public static String describe(int status) {
        String signal = switch (status - 128) {
            case 1 -> "SIGHUP (1)";
            case 2 -> "SIGINT (2)";
            case 3 -> "SIGQUIT (3)";
            case 4 -> "SIGILL (4)";
            case 6 -> "SIGABRT (6)";
            case 7 -> "SIGBUS (7)";
            case 8 -> "SIGFPE (8)";
            case 9 -> "SIGKILL (9)";
            case 11 -> "SIGSEGV (11)";
            case 13 -> "SIGPIPE (13)";
            case 15 -> "SIGTERM (15)";
            default -> null;
        };
        return signal != null ? signal : "exit status " + status;
    }
}
