package dev.tandem.profiler.trace;

/** How far an import is, and whether to go on. Called by the importing thread, every few hundred kilobytes. */
@FunctionalInterface
public interface ImportProgress {

    /** Takes no notice and never cancels. */
    ImportProgress NONE = (readBytes, totalBytes) -> true;

    /**
     * Says how far the import is.
     *
     * @param readBytes bytes of the file read so far, as stored, that is before they are unpacked
     * @param totalBytes bytes of the whole file
     * @return whether to go on; {@code false} ends the import with a {@link java.util.concurrent.CancellationException}
     */
    boolean read(long readBytes, long totalBytes);
}
