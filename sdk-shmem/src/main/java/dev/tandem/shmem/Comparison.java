package dev.tandem.shmem;

/** How a wait compares the signal (left) with the value wanted (right), as signed 64-bit integers. */
public enum Comparison {
    /** Equal. */
    EQUAL("="),
    /** Not equal. */
    NOT_EQUAL("!="),
    /** Greater. */
    GREATER(">"),
    /** Greater or equal: what growing epochs wait for. */
    AT_LEAST(">="),
    /** Less. */
    LESS("<"),
    /** Less or equal. */
    AT_MOST("<=");

    private final String sign;

    Comparison(String sign) {
        this.sign = sign;
    }

    /**
     * Compares.
     *
     * @param seen the signal's value
     * @param wanted the value to compare with
     * @return whether the comparison holds
     */
    public boolean holds(long seen, long wanted) {
        return switch (this) {
            case EQUAL -> seen == wanted;
            case NOT_EQUAL -> seen != wanted;
            case GREATER -> seen > wanted;
            case AT_LEAST -> seen >= wanted;
            case LESS -> seen < wanted;
            case AT_MOST -> seen <= wanted;
        };
    }

    /** The sign, such as {@code >=}. */
    @Override
    public String toString() {
        return sign;
    }
}
