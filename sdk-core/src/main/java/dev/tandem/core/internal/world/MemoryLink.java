package dev.tandem.core.internal.world;

/** The link of a member that lives in the hub's JVM. */
final class MemoryLink implements Link {

    private final Hub hub;
    private final int rank;

    MemoryLink(Hub hub, int rank) {
        this.hub = hub;
        this.rank = rank;
    }

    @Override
    public void send(Message message) {
        hub.receive(rank, message);
    }

    @Override
    public void taken(Message.Chunk chunk) {
        hub.taken(rank, chunk);
    }

    @Override
    public void close() {
        hub.lost(rank, "it has closed its world without leaving");
    }
}
