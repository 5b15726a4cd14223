package dev.tandem.core.launch;

import dev.tandem.core.world.World;

/** A rank as its program sees it. Thread-safe. */
public interface RankContext {

    /**
     * Gives the rank's world.
     *
     * @return the world, joined
     */
    World world();

    /**
     * Gives an object that one of the program's {@link RankModules} provides, such as the symmetric heap. Objects are made
     * at their first use; one a rank.
     *
     * @param <T> its type
     * @param type its type
     * @return the rank's object
     */
    <T> T get(Class<T> type);

    /**
     * Writes one whole line to the job's output at once. Lines of different ranks are never mixed, but their order is
     * open.
     *
     * @param line the text, without a line end
     */
    void print(String line);

    /**
     * Collective. Writes one line of every rank, in rank order, to the job's output; rank 0 writes them all, so that the
     * order holds under any launcher.
     *
     * @param line this rank's text, without a line end; null for none
     */
    void printInOrder(String line);
}
