package dev.tandem.core.internal.world;

/**
 * One rank's call of a collective.
 *
 * @param number which of the rank's collectives this is, from 1
 * @param operation what is called
 * @param root the root of a broadcast; -1 for other operations
 * @param lengthBytes how many bytes the rank contributes
 */
record Call(long number, Operation operation, int root, long lengthBytes) {

    /** The longest contribution to a collective whose results are arrays. */
    static final long MAX_VALUE_BYTES = 64L << 20;

    /** Says whether two ranks' calls belong together. */
    boolean matches(Call other) {
        return number == other.number && operation == other.operation && root == other.root
                && (!operation.equalSizes() || lengthBytes == other.lengthBytes);
    }

    /** Names the call as in {@code broadcast(root 0) #7}. */
    String label() {
        return operation.label() + (root >= 0 ? "(root " + root + ")" : "") + " #" + number;
    }

    /** Names the call with its size where sizes must be equal. */
    String labelWithSize() {
        return operation.equalSizes() ? label() + " with " + lengthBytes + " bytes" : label();
    }
}
