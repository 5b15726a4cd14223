/**
 * What carries symmetric memory between ranks. {@link dev.tandem.shmem.transport.Transport} is the interface of an
 * implementation; the heap and everything above it never ask which one it is.
 *
 * {@snippet :
 * transport.reserve(offset, bytes);             // this rank's block is really there
 * MemorySegment mine = transport.segment(me);   // and every rank's is mapped
 * }
 */
package dev.tandem.shmem.transport;
