package dev.tandem.kernels.internal.runtime;

import dev.tandem.shmem.Comparison;
import dev.tandem.shmem.SignalArray;
import dev.tandem.shmem.SymmetricHeap;
import dev.tandem.shmem.Token;

/** How a part waits, and whether it should go on at all. Called on the part's thread. */
interface PartWaits {

    /** Fails if another part of the launch has failed; cheap enough for every operation. */
    void checkRunning();

    /** Waits for a signal as {@code rank} has it. */
    Token signal(SignalArray signals, int rank, long slot, Comparison comparison, long value);

    /** Waits for all parts of all programs of all ranks. */
    Token barrierAll();

    /** Gives the rank's symmetric heap. */
    SymmetricHeap heap();
}
