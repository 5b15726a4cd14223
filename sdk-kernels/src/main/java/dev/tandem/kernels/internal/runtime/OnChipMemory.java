package dev.tandem.kernels.internal.runtime;

import dev.tandem.core.UsageException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The on-chip memory of one part: a stack of blocks that {@link #release} frees down to a mark, and the memory of which
 * tiles that freed.
 *
 * <p>The stack grows in chunks as kernels ask for it and keeps them, so that a warm kernel allocates nothing and finds its
 * tiles in cache. Every tile and every mark takes a serial number; a release frees a span of serials, and a tile is alive
 * if no span holds its serial. The last {@value #MAX_SPANS} spans are kept: a use of a tile released longer ago goes
 * unnoticed if it was a loaded one, and reads what lies in that place now if it was not.
 *
 * <p>Confined to the part's thread.
 */
final class OnChipMemory implements AutoCloseable {

    static final int ALIGNMENT = 64;
    static final int MAX_SPANS = 256;

    private static final long CHUNK_BYTES = 1L << 20;
    private static final int UNIT_BITS = 24;
    private static final int CHUNK_BITS = 8;
    private static final long MAX_SERIAL = (1L << (63 - UNIT_BITS - CHUNK_BITS)) - 1;

    private record Chunk(Arena arena, MemorySegment memory) {
    }

    private final long limitBytes;
    private final List<Chunk> chunks = new ArrayList<>();
    private final long[] spanStart = new long[MAX_SPANS];
    private final long[] spanEnd = new long[MAX_SPANS];
    private int spans;
    private int chunk;
    private long top;
    private long below;
    private long serial;

    /** Makes an empty stack that may grow to {@code limitBytes}, at most 1 GiB. */
    OnChipMemory(long limitBytes) {
        this.limitBytes = Math.min(limitBytes, (long) ALIGNMENT << UNIT_BITS);
    }

    /** Forgets all tiles and marks, as at the start of a launch. */
    void reset() {
        spans = 0;
        chunk = 0;
        top = 0;
        below = 0;
        serial = 0;
    }

    /** Takes the serial of a tile that is made now. */
    long nextSerial() {
        if (serial == MAX_SERIAL) {
            throw new UsageException("too many tiles: made=" + serial + "; split the work over several launches");
        }
        return serial++;
    }

    /** Allocates a block; its content is undefined. */
    MemorySegment allocate(long bytes) {
        long padded = (bytes + ALIGNMENT - 1) & -ALIGNMENT;
        if (padded > limitBytes - below - top) {
            throw new UsageException("on-chip memory is full: wanted=" + bytes + " bytes, in use=" + usedBytes()
                    + ", limit=" + limitBytes
                    + "; use smaller tiles, or mark() and release() what is no longer needed");
        }
        if (chunks.isEmpty() || top + padded > chunks.get(chunk).memory().byteSize()) {
            enterChunk(padded);
        }
        MemorySegment block = chunks.get(chunk).memory().asSlice(top, bytes);
        top += padded;
        return block;
    }

    private void enterChunk(long bytes) {
        int next = chunks.isEmpty() ? 0 : chunk + 1;
        if (next < chunks.size() && chunks.get(next).memory().byteSize() < bytes) {
            closeFrom(next); // Nothing above the top is alive.
        }
        if (next == chunks.size()) {
            if (next == 1 << CHUNK_BITS) {
                throw new UsageException("on-chip memory is in too many pieces: pieces=" + next
                        + "; allocate large tiles before small ones");
            }
            Arena arena = Arena.ofConfined();
            chunks.add(new Chunk(arena, arena.allocate(Math.max(bytes, CHUNK_BYTES), ALIGNMENT)));
        }
        below = belowOf(next);
        chunk = next;
        top = 0;
    }

    /** Gives the bytes that live tiles hold. */
    long usedBytes() {
        return below + top;
    }

    /** Notes the height of the stack. */
    long mark() {
        return (nextSerial() << (UNIT_BITS + CHUNK_BITS)) | ((long) chunk << UNIT_BITS) | (top / ALIGNMENT);
    }

    /** Frees everything made since {@code mark}. */
    void release(long mark) {
        long first = mark >>> (UNIT_BITS + CHUNK_BITS);
        int toChunk = (int) (mark >>> UNIT_BITS) & ((1 << CHUNK_BITS) - 1);
        long toTop = (mark & ((1L << UNIT_BITS) - 1)) * ALIGNMENT;
        boolean above = toChunk > chunk || (toChunk == chunk && toTop > top);
        if (mark < 0 || first >= serial || above || released(first)) {
            throw new UsageException("mark is not valid: mark=" + mark
                    + "; release a mark of this launch that no earlier mark's release has freed");
        }
        chunk = toChunk;
        below = belowOf(toChunk);
        top = toTop;
        while (spans > 0 && spanStart[spans - 1] >= first) {
            spans--;
        }
        if (spans == MAX_SPANS) {
            System.arraycopy(spanStart, MAX_SPANS / 2, spanStart, 0, MAX_SPANS / 2);
            System.arraycopy(spanEnd, MAX_SPANS / 2, spanEnd, 0, MAX_SPANS / 2);
            spans = MAX_SPANS / 2;
        }
        // The mark itself stays valid: it may be released again.
        spanStart[spans] = first;
        spanEnd[spans] = serial;
        spans++;
    }

    /** What lies in the chunks below; what their ends leave unused counts as used. */
    private long belowOf(int index) {
        long sum = 0;
        for (int i = 0; i < index; i++) {
            sum += chunks.get(i).memory().byteSize();
        }
        return sum;
    }

    /** Says whether what was made with this serial has been released. */
    boolean released(long of) {
        if (spans == 0 || of >= spanEnd[spans - 1]) {
            return false;
        }
        int low = Arrays.binarySearch(spanStart, 0, spans, of);
        int last = low >= 0 ? low - 1 : -low - 2; // The last span that starts before.
        return last >= 0 && of < spanEnd[last];
    }

    private void closeFrom(int index) {
        while (chunks.size() > index) {
            chunks.remove(chunks.size() - 1).arena().close();
        }
    }

    @Override
    public void close() {
        closeFrom(0);
        reset();
    }
}
