package dev.tandem.shmem.transport;

import java.lang.foreign.MemorySegment;

/**
 * One rank's access to the heaps of all ranks. Thread-safe but for {@link #close()}, which comes last.
 */
public interface Transport extends AutoCloseable {

    /**
     * Says how large each rank's heap is.
     *
     * @return bytes, equal on all ranks
     */
    long heapBytes();

    /**
     * Gives the heap of a rank as memory that this rank addresses directly.
     *
     * @param rank the rank, this one included
     * @return its heap, {@link #heapBytes()} long
     */
    MemorySegment segment(int rank);

    /**
     * Makes a part of this rank's heap really available, so that touching it cannot fail later. A part that was never
     * reserved before reads as zeros. Not collective.
     *
     * @param offset start in bytes
     * @param bytes length in bytes
     * @throws dev.tandem.core.SetupException if the machine has no room for it
     */
    void reserve(long offset, long bytes);

    /** Lets go of all heaps; views of them fail from then on. */
    @Override
    void close();
}
