package dev.tandem.core.internal.world;

/** One end of the way between a member and the hub. Thread-safe; nothing here blocks. */
interface Link {

    /**
     * Sends. Messages arrive in order, except that an abort takes the place of the chunks that have not gone yet.
     *
     * @param message what to send
     */
    void send(Message message);

    /** Says at the member's end that a chunk that came over this link has been read. */
    void taken(Message.Chunk chunk);

    /** Ends the link, once what was sent is out or a moment has passed. May be called again. */
    void close();
}
