package dev.tandem.shmem;

/** How a notification changes a signal. */
public enum SignalOp {
    /** The signal takes the value. */
    SET,
    /** The value is added to the signal, atomically. */
    ADD
}
