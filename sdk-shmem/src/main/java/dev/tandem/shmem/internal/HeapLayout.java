package dev.tandem.shmem.internal;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The bytes at the front of every rank's heap, one cache line each, and the form of signals.
 *
 * <pre>
 * 0      magic and version (written by the owner before anyone maps it)
 * 64     barrier arrivals: counts all arrivals of all barriers; rank 0's is used
 * 128    barrier epoch: how many barriers this rank has come to
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
    /** Offset of the arrivals. */
    public static final long ARRIVALS_OFFSET = LINE_BYTES;
    /** Offset of the epoch. */
    public static final long EPOCH_OFFSET = 2 * LINE_BYTES;
    /** Offset of the first block. */
    public static final long BLOCKS_OFFSET = 4096;

    /** Access to signals and counters, for plain, acquire, release and atomic operations. */
    public static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private HeapLayout() {
    }
}
