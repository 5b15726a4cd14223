package dev.tandem.core.internal.world;

/** The collectives of a {@link dev.tandem.core.world.ProcessGroup}. The order is part of the wire format. */
enum Operation {
    BARRIER("barrier", false), GATHER_BLOCKS("allGather of blocks", true), GATHER_BYTES("allGather of bytes",
            false), GATHER_TEXT("allGather of text", false), BROADCAST("broadcast", false);

    private final String label;
    private final boolean equalSizes;

    Operation(String label, boolean equalSizes) {
        this.label = label;
        this.equalSizes = equalSizes;
    }

    String label() {
        return label;
    }

    /** Says whether all ranks must contribute equally many bytes. */
    boolean equalSizes() {
        return equalSizes;
    }
}
