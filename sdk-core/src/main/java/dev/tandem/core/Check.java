package dev.tandem.core;

/**
 * The argument checks of every public entry.
 *
 * <p>Each throws {@link UsageException} with a message of the form {@code what: name=value, limit=value; do this}.
 * Thread-safe; allocates nothing when the check holds.
 */
public final class Check {

    private Check() {
    }

    /**
     * Requires a reference.
     *
     * @param <T> its type
     * @param value the reference
     * @param name the argument's name
     * @return {@code value}
     */
    public static <T> T notNull(T value, String name) {
        if (value == null) {
            throw new UsageException(name + " is null; pass a value");
        }
        return value;
    }

    /**
     * Requires {@code value > 0}.
     *
     * @param value the number
     * @param name the argument's name
     * @return {@code value}
     */
    public static long positive(long value, String name) {
        if (value <= 0) {
            throw new UsageException("not positive: " + name + "=" + value + "; pass at least 1");
        }
        return value;
    }

    /**
     * Requires {@code value > 0}.
     *
     * @param value the number
     * @param name the argument's name
     * @return {@code value}
     */
    public static int positive(int value, String name) {
        positive((long) value, name);
        return value;
    }

    /**
     * Requires {@code value >= 0}.
     *
     * @param value the number
     * @param name the argument's name
     * @return {@code value}
     */
    public static long notNegative(long value, String name) {
        if (value < 0) {
            throw new UsageException("negative: " + name + "=" + value + "; pass 0 or more");
        }
        return value;
    }

    /**
     * Requires {@code 0 <= index < size}.
     *
     * @param index the index
     * @param size how many there are
     * @param name the index's name
     * @return {@code index}
     */
    public static int index(int index, int size, String name) {
        index((long) index, size, name);
        return index;
    }

    /**
     * Requires {@code 0 <= index < size}.
     *
     * @param index the index
     * @param size how many there are
     * @param name the index's name
     * @return {@code index}
     */
    public static long index(long index, long size, String name) {
        if (index < 0 || index >= size) {
            throw new UsageException(
                    "out of range: " + name + "=" + index + ", size=" + size + "; pass 0 to " + (size - 1));
        }
        return index;
    }

    /**
     * Requires {@code 0 <= offset}, {@code 0 <= length} and {@code offset + length <= size}, without overflow.
     *
     * @param offset first element
     * @param length number of elements
     * @param size elements there are
     * @param name what is addressed
     */
    public static void range(long offset, long length, long size, String name) {
        if (offset < 0 || length < 0 || offset > size - length) {
            throw new UsageException("out of range: " + name + " offset=" + offset + ", length=" + length + ", size="
                    + size + "; keep offset + length within the size");
        }
    }

    /**
     * Requires a relation between arguments; the caller words the failure.
     *
     * @param holds whether the relation holds
     * @param message the whole message: what, both sides, what to do
     */
    public static void that(boolean holds, String message) {
        if (!holds) {
            throw new UsageException(message);
        }
    }
}
