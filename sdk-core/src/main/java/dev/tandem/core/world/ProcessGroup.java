package dev.tandem.core.world;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Bootstrap collectives of small values among all ranks of a job, for set-up and for golden references; never on a fast
 * path.
 *
 * <p>Every method here is collective: all ranks call the same methods in the same order. Calls are numbered and the
 * numbers, operations and sizes are compared, so that ranks that disagree fail at once, on every rank, with a
 * {@link dev.tandem.core.UsageException} that names who called what. A rank that has gone fails the others with
 * {@link dev.tandem.core.PeerLostException}; a rank that does not come within the world's timeout fails them with
 * {@link dev.tandem.core.TimedOutException}.
 *
 * <p>One collective at a time: the methods may be called from any thread of a rank but are serialised per rank.
 */
public interface ProcessGroup {

    /**
     * Says which member this is.
     *
     * @return 0 to {@code size() - 1}
     */
    int rank();

    /**
     * Says how many members there are.
     *
     * @return at least 1
     */
    int size();

    /** Collective. Returns after every rank has called it. */
    void barrier();

    /**
     * Collective. Gathers one byte array of each rank on all ranks; lengths may differ.
     *
     * @param mine this rank's contribution; read before the call returns
     * @return contributions by rank, this rank's among them
     */
    List<byte[]> allGather(byte[] mine);

    /**
     * Collective. Gathers one equally long block of each rank on all ranks.
     *
     * @param mine this rank's block
     * @param all where the blocks go, by rank; {@code size() * mine.byteSize()} bytes
     */
    void allGather(MemorySegment mine, MemorySegment all);

    /**
     * Collective. Sends the root's bytes to all ranks.
     *
     * @param mine the bytes at the root; ignored elsewhere and may be null there
     * @param root the rank whose bytes go out
     * @return the root's bytes
     */
    byte[] broadcast(byte[] mine, int root);

    /**
     * Collective. Gathers one text of each rank on all ranks.
     *
     * @param mine this rank's text
     * @return the texts by rank
     */
    List<String> allGather(String mine);
}
