package dev.tandem.shmem.internal;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Finds room for blocks: first fit in order of offsets, neighbours joined when freed. The same calls in the same order give
 * the same offsets on every rank, which is what makes the heap symmetric. Confined to the heap's lock.
 */
public final class Allocator {

    private static final long ALIGNMENT = HeapLayout.LINE_BYTES;

    private final NavigableHoles holes = new NavigableHoles();
    private final Map<Long, Long> blocks = new TreeMap<>();

    /**
     * Manages a range.
     *
     * @param start its first byte, a multiple of 64
     * @param end the byte behind it
     */
    public Allocator(long start, long end) {
        if (end > start) {
            holes.put(start, end - start);
        }
    }

    /**
     * Takes a block, aligned to 64 bytes.
     *
     * @param bytes its length, at least 0
     * @return its offset, or nothing if no hole is large enough
     */
    public OptionalLong allocate(long bytes) {
        long length = Math.max(ALIGNMENT, Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT);
        for (Map.Entry<Long, Long> hole : holes.entrySet()) {
            if (hole.getValue() >= length) {
                long offset = hole.getKey();
                long left = hole.getValue() - length;
                holes.remove(offset);
                if (left > 0) {
                    holes.put(offset + length, left);
                }
                blocks.put(offset, length);
                return OptionalLong.of(offset);
            }
        }
        return OptionalLong.empty();
    }

    /**
     * Gives a block back.
     *
     * @param offset what {@link #allocate} returned
     */
    public void free(long offset) {
        Long length = blocks.remove(offset);
        if (length == null) {
            throw new IllegalStateException("no block at offset " + offset);
        }
        holes.join(offset, length);
    }

    /**
     * Says how much is free.
     *
     * @return bytes in all holes
     */
    public long freeBytes() {
        return holes.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Says what the largest block could be.
     *
     * @return bytes of the largest hole
     */
    public long largestHoleBytes() {
        return holes.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** Holes by offset. */
    private static final class NavigableHoles extends TreeMap<Long, Long> {

        private static final long serialVersionUID = 1L;

        private void join(long offset, long length) {
            long start = offset;
            long end = offset + length;
            Map.Entry<Long, Long> before = lowerEntry(start);
            if (before != null && before.getKey() + before.getValue() == start) {
                start = before.getKey();
            }
            Long after = remove(end);
            if (after != null) {
                end += after;
            }
            put(start, end - start);
        }
    }
}
