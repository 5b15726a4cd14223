package dev.tandem.shmem.internal;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The bytes at the front of every rank's heap, one cache line each, and the form of signals.
 *
 * <pre>
 * 0      magic and version (written by the owner before anyone maps it)
 * 64     arrivals at the hosts' barrier: counts all of all rounds; rank 0's is used
 * 128    epoch of the hosts' barrier: how many rounds this rank has come to
 * 192    arrivals at the kernels' barrier
 * 256    epoch of the kernels' barrier
 * 4096   first block
 * </pre>
 */
public final class HeapLayout {

    /** "TANDEM" and version 1. */
    public static final long MAGIC = 0x54414e44454d0001L;
    /** Signals and counters stand alone on a line of this many bytes. */
    public static final long LINE_BYTES = 64;
    /** Offset of {@link #MAGIC}. */
    public static final long MAGIC_OFFSET = 0;
    /** Where the barrier of host code counts: arrivals here, epochs a line further. */
    public static final long HOST_BARRIER_OFFSET = LINE_BYTES;
    /** Where the barrier inside kernels counts. */
    public static final long KERNEL_BARRIER_OFFSET = 3 * LINE_BYTES;
    /** Offset of the first block. */
    public static final long BLOCKS_OFFSET = 4096;

    /** Access to signals and counters, for plain, acquire, release and atomic operations. */
    public static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private HeapLayout() {
    }
}
