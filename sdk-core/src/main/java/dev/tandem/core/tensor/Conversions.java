package dev.tandem.core.tensor;

import dev.tandem.core.Check;
import dev.tandem.core.UsageException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Conversions between element types, in bulk and one by one.
 *
 * <p>Every conversion rounds once, to nearest even; what is too large becomes infinity, subnormal numbers are kept, a NaN
 * stays a NaN with its sign and upper payload bits and is made quiet. A conversion from {@code double} to a 16-bit type does not
 * go through a rounded {@code float}.
 *
 * <p>Offsets and counts are in elements. Segments need no alignment and may be on or off heap; {@code float[]} and segment
 * must not overlap. The loops run over small arrays that stay in the first-level cache, so that the compiler vectorises them
 * whatever kind of segment comes. Stateless and thread-safe.
 */
public final class Conversions {

    /** Elements that are converted at a time; small enough for the first-level cache. */
    static final int CHUNK = 2048;

    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

    private static final int ABS = 0x7fff_ffff;
    private static final int INFINITY = 0x7f80_0000;
    private static final int QUIET = 0x0040_0000;

    private Conversions() {
    }

    /**
     * Widens a bfloat16.
     *
     * @param bits the bfloat16's bits
     * @return its exact value
     */
    public static float bf16ToFloat(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    /**
     * Rounds to bfloat16.
     *
     * @param value the value
     * @return the bits of the nearest bfloat16
     */
    public static short floatToBf16(float value) {
        return (short) roundToBf16(Float.floatToRawIntBits(value));
    }

    /**
     * Rounds to bfloat16, once.
     *
     * @param value the value
     * @return the bits of the nearest bfloat16
     */
    public static short doubleToBf16(double value) {
        return floatToBf16(roundToOdd(value));
    }

    /**
     * Rounds to binary16, once.
     *
     * @param value the value
     * @return the bits of the nearest binary16
     */
    public static short doubleToFp16(double value) {
        return Float.floatToFloat16(roundToOdd(value));
    }

    /**
     * Reads elements of any type as {@code float}; fp64, int32 and int64 are rounded.
     *
     * @param src where the elements are
     * @param type their type
     * @param srcOffset first element in {@code src}
     * @param dst where the values go
     * @param dstOffset first index in {@code dst}
     * @param count how many
     */
    public static void toFloats(MemorySegment src, DType type, long srcOffset, float[] dst, int dstOffset, int count) {
        check(src, type, srcOffset, count, "source");
        Check.range(dstOffset, count, dst.length, "float[]");
        long bytes = srcOffset * type.bytes();
        switch (type) {
            case F32 -> MemorySegment.copy(src, FLOAT, bytes, dst, dstOffset, count);
            case F16 -> {
                short[] scratch = new short[Math.min(count, CHUNK)];
                for (int done = 0, n; done < count; done += n) {
                    n = Math.min(CHUNK, count - done);
                    MemorySegment.copy(src, SHORT, bytes + 2L * done, scratch, 0, n);
                    fp16ToFloats(scratch, dst, dstOffset + done, n);
                }
            }
            case BF16 -> {
                short[] scratch = new short[Math.min(count, CHUNK)];
                int[] bits = new int[scratch.length];
                MemorySegment bitsOf = MemorySegment.ofArray(bits);
                MemorySegment floats = MemorySegment.ofArray(dst);
                for (int done = 0, n; done < count; done += n) {
                    n = Math.min(CHUNK, count - done);
                    MemorySegment.copy(src, SHORT, bytes + 2L * done, scratch, 0, n);
                    bf16ToFloatBits(scratch, bits, n);
                    MemorySegment.copy(bitsOf, 0, floats, 4L * (dstOffset + done), 4L * n);
                }
            }
            case F64 -> {
                double[] scratch = new double[Math.min(count, CHUNK)];
                for (int done = 0, n; done < count; done += n) {
                    n = Math.min(CHUNK, count - done);
                    MemorySegment.copy(src, DOUBLE, bytes + 8L * done, scratch, 0, n);
                    doublesToFloats(scratch, dst, dstOffset + done, n);
                }
            }
            case I32 -> {
                for (int i = 0; i < count; i++) {
                    dst[dstOffset + i] = src.get(INT, bytes + 4L * i);
                }
            }
            case I64 -> {
                for (int i = 0; i < count; i++) {
                    dst[dstOffset + i] = src.get(LONG, bytes + 8L * i);
                }
            }
        }
    }

    /**
     * Reads elements of any type as {@code double}; int64 beyond 2<sup>53</sup> is rounded.
     *
     * @param src where the elements are
     * @param type their type
     * @param srcOffset first element in {@code src}
     * @param dst where the values go
     * @param dstOffset first index in {@code dst}
     * @param count how many
     */
    public static void toDoubles(MemorySegment src, DType type, long srcOffset, double[] dst, int dstOffset,
            int count) {
        check(src, type, srcOffset, count, "source");
        Check.range(dstOffset, count, dst.length, "double[]");
        long bytes = srcOffset * type.bytes();
        switch (type) {
            case F64 -> MemorySegment.copy(src, DOUBLE, bytes, dst, dstOffset, count);
            case F16, BF16, F32 -> {
                float[] scratch = new float[Math.min(count, CHUNK)];
                for (int done = 0, n; done < count; done += n) {
                    n = Math.min(CHUNK, count - done);
                    toFloats(src, type, srcOffset + done, scratch, 0, n);
                    floatsToDoubles(scratch, dst, dstOffset + done, n);
                }
            }
            case I32 -> {
                for (int i = 0; i < count; i++) {
                    dst[dstOffset + i] = src.get(INT, bytes + 4L * i);
                }
            }
            case I64 -> {
                for (int i = 0; i < count; i++) {
                    dst[dstOffset + i] = src.get(LONG, bytes + 8L * i);
                }
            }
        }
    }

    /**
     * Writes values as elements of a floating-point type, rounded to nearest even.
     *
     * @param src the values
     * @param srcOffset first index in {@code src}
     * @param dst where the elements go
     * @param type their type, a floating-point one
     * @param dstOffset first element in {@code dst}
     * @param count how many
     */
    public static void fromFloats(float[] src, int srcOffset, MemorySegment dst, DType type, long dstOffset,
            int count) {
        Check.range(srcOffset, count, src.length, "float[]");
        check(dst, type, dstOffset, count, "target");
        long bytes = dstOffset * type.bytes();
        switch (type) {
            case F32 -> MemorySegment.copy(src, srcOffset, dst, FLOAT, bytes, count);
            case F16 -> {
                short[] scratch = new short[Math.min(count, CHUNK)];
                for (int done = 0, n; done < count; done += n) {
                    n = Math.min(CHUNK, count - done);
                    floatsToFp16(src, srcOffset + done, scratch, n);
                    MemorySegment.copy(scratch, 0, dst, SHORT, bytes + 2L * done, n);
                }
            }
            case BF16 -> {
                short[] scratch = new short[Math.min(count, CHUNK)];
                int[] bits = new int[scratch.length];
                MemorySegment bitsOf = MemorySegment.ofArray(bits);
                MemorySegment floats = MemorySegment.ofArray(src);
                for (int done = 0, n; done < count; done += n) {
                    n = Math.min(CHUNK, count - done);
                    MemorySegment.copy(floats, 4L * (srcOffset + done), bitsOf, 0, 4L * n);
                    floatBitsToBf16(bits, scratch, n);
                    MemorySegment.copy(scratch, 0, dst, SHORT, bytes + 2L * done, n);
                }
            }
            case F64 -> {
                double[] scratch = new double[Math.min(count, CHUNK)];
                for (int done = 0, n; done < count; done += n) {
                    n = Math.min(CHUNK, count - done);
                    for (int i = 0; i < n; i++) {
                        scratch[i] = src[srcOffset + done + i];
                    }
                    MemorySegment.copy(scratch, 0, dst, DOUBLE, bytes + 8L * done, n);
                }
            }
            case I32, I64 -> throw notFloat(type);
        }
    }

    /**
     * Writes values as elements of a floating-point type, rounded once to nearest even.
     *
     * @param src the values
     * @param srcOffset first index in {@code src}
     * @param dst where the elements go
     * @param type their type, a floating-point one
     * @param dstOffset first element in {@code dst}
     * @param count how many
     */
    public static void fromDoubles(double[] src, int srcOffset, MemorySegment dst, DType type, long dstOffset,
            int count) {
        Check.range(srcOffset, count, src.length, "double[]");
        check(dst, type, dstOffset, count, "target");
        if (!type.isFloat()) {
            throw notFloat(type);
        }
        if (type == DType.F64) {
            MemorySegment.copy(src, srcOffset, dst, DOUBLE, 8 * dstOffset, count);
            return;
        }
        float[] scratch = new float[Math.min(count, CHUNK)];
        for (int done = 0, n; done < count; done += n) {
            n = Math.min(CHUNK, count - done);
            if (type == DType.F32) {
                for (int i = 0; i < n; i++) {
                    scratch[i] = (float) src[srcOffset + done + i];
                }
            } else {
                for (int i = 0; i < n; i++) {
                    scratch[i] = roundToOdd(src[srcOffset + done + i]);
                }
            }
            fromFloats(scratch, 0, dst, type, dstOffset + done, n);
        }
    }

    /**
     * Copies elements from one type to another; between equal types bit for bit, to a floating-point type rounded once.
     * Equal types may overlap.
     *
     * @param src where the elements are
     * @param srcType their type
     * @param srcOffset first element in {@code src}
     * @param dst where they go
     * @param dstType the type there; an integer type takes its own type only
     * @param dstOffset first element in {@code dst}
     * @param count how many
     */
    public static void convert(MemorySegment src, DType srcType, long srcOffset, MemorySegment dst, DType dstType,
            long dstOffset, long count) {
        check(src, srcType, srcOffset, count, "source");
        check(dst, dstType, dstOffset, count, "target");
        if (srcType == dstType) {
            int size = srcType.bytes();
            MemorySegment.copy(src, srcOffset * size, dst, dstOffset * size, count * size);
            return;
        }
        if (!dstType.isFloat()) {
            throw notFloat(dstType);
        }
        boolean wide = !srcType.isFloat() || srcType == DType.F64;
        if (srcType == DType.I64) {
            int64To(src, srcOffset, dst, dstType, dstOffset, count);
        } else if (wide) {
            double[] scratch = new double[(int) Math.min(count, CHUNK)];
            for (long done = 0; done < count; done += CHUNK) {
                int n = (int) Math.min(CHUNK, count - done);
                toDoubles(src, srcType, srcOffset + done, scratch, 0, n);
                fromDoubles(scratch, 0, dst, dstType, dstOffset + done, n);
            }
        } else {
            float[] scratch = new float[(int) Math.min(count, CHUNK)];
            for (long done = 0; done < count; done += CHUNK) {
                int n = (int) Math.min(CHUNK, count - done);
                toFloats(src, srcType, srcOffset + done, scratch, 0, n);
                fromFloats(scratch, 0, dst, dstType, dstOffset + done, n);
            }
        }
    }

    /** A long is not always a double: the direct casts round once, and the 16-bit types take a double rounded to odd. */
    private static void int64To(MemorySegment src, long srcOffset, MemorySegment dst, DType dstType, long dstOffset,
            long count) {
        for (long i = 0; i < count; i++) {
            long value = src.get(LONG, 8 * (srcOffset + i));
            long at = (dstOffset + i) * dstType.bytes();
            switch (dstType) {
                case F64 -> dst.set(DOUBLE, at, value);
                case F32 -> dst.set(FLOAT, at, value);
                case F16 -> dst.set(SHORT, at, doubleToFp16(roundToOdd(value)));
                case BF16 -> dst.set(SHORT, at, doubleToBf16(roundToOdd(value)));
                case I32, I64 -> throw notFloat(dstType);
            }
        }
    }

    /** Reads one element; int64 beyond 2^53 is rounded. */
    static double get(MemorySegment memory, DType type, long element) {
        long at = element * type.bytes();
        return switch (type) {
            case F16 -> Float.float16ToFloat(memory.get(SHORT, at));
            case BF16 -> bf16ToFloat(memory.get(SHORT, at));
            case F32 -> memory.get(FLOAT, at);
            case F64 -> memory.get(DOUBLE, at);
            case I32 -> memory.get(INT, at);
            case I64 -> memory.get(LONG, at);
        };
    }

    /** Writes one element, rounded once; an integer type takes whole numbers of its range only. */
    static void set(MemorySegment memory, DType type, long element, double value) {
        long at = element * type.bytes();
        switch (type) {
            case F16 -> memory.set(SHORT, at, doubleToFp16(value));
            case BF16 -> memory.set(SHORT, at, doubleToBf16(value));
            case F32 -> memory.set(FLOAT, at, (float) value);
            case F64 -> memory.set(DOUBLE, at, value);
            case I32 -> memory.set(INT, at, (int) whole(type, value, Integer.MIN_VALUE, 0x1p31));
            case I64 -> memory.set(LONG, at, whole(type, value, Long.MIN_VALUE, 0x1p63));
        }
    }

    private static long whole(DType type, double value, double lowest, double limit) {
        Check.that(value == Math.rint(value) && value >= lowest && value < limit,
                "not a value of " + type + ": value=" + value + "; pass a whole number of its range");
        return (long) value;
    }

    private static void fp16ToFloats(short[] src, float[] dst, int dstOffset, int n) {
        for (int i = 0; i < n; i++) {
            dst[dstOffset + i] = Float.float16ToFloat(src[i]);
        }
    }

    /** In two passes: a loop that both widens and shifts vectorises badly. */
    private static void bf16ToFloatBits(short[] src, int[] dst, int n) {
        for (int i = 0; i < n; i++) {
            dst[i] = src[i];
        }
        for (int i = 0; i < n; i++) {
            dst[i] <<= 16;
        }
    }

    private static void doublesToFloats(double[] src, float[] dst, int dstOffset, int n) {
        for (int i = 0; i < n; i++) {
            dst[dstOffset + i] = (float) src[i];
        }
    }

    private static void floatsToDoubles(float[] src, double[] dst, int dstOffset, int n) {
        for (int i = 0; i < n; i++) {
            dst[dstOffset + i] = src[i];
        }
    }

    private static void floatsToFp16(float[] src, int srcOffset, short[] dst, int n) {
        for (int i = 0; i < n; i++) {
            dst[i] = Float.floatToFloat16(src[srcOffset + i]);
        }
    }

    /** In two passes, the first in place: a loop that both rounds and narrows does not vectorise, nor does one over floats. */
    private static void floatBitsToBf16(int[] bits, short[] dst, int n) {
        for (int i = 0; i < n; i++) {
            bits[i] = roundToBf16(bits[i]);
        }
        for (int i = 0; i < n; i++) {
            dst[i] = (short) bits[i];
        }
    }

    /** Without branches, so that loops over it vectorise: the mask is all ones for a NaN. */
    private static int roundToBf16(int bits) {
        int nan = (INFINITY - (bits & ABS)) >> 31;
        int rounded = bits + 0x7fff + ((bits >>> 16) & 1);
        return ((rounded & ~nan) | ((bits | QUIET) & nan)) >>> 16;
    }

    /**
     * Truncates to float and sets the last bit if anything was lost: a later rounding to a type at least two bits narrower
     * is then as exact as a single one.
     */
    private static float roundToOdd(double value) {
        float nearest = (float) value;
        double back = nearest;
        if (back == value || Double.isNaN(value)) {
            return nearest;
        }
        int away = Math.abs(back) > Math.abs(value) ? 1 : 0;
        return Float.intBitsToFloat((Float.floatToRawIntBits(nearest) - away) | 1);
    }

    private static double roundToOdd(long value) {
        if (Math.abs(value) < 1L << 53) {
            return value;
        }
        long low = value & 0x7ff;
        long kept = value - low;
        return low == 0 ? kept : (double) (kept | 0x400);
    }

    private static void check(MemorySegment memory, DType type, long offset, long count, String name) {
        Check.notNull(memory, name);
        Check.notNull(type, "dtype");
        Check.range(offset, count, memory.byteSize() / type.bytes(), name);
    }

    private static UsageException notFloat(DType type) {
        return new UsageException(
                "no conversion to an integer type: dtype=" + type + "; convert to fp16, bf16, fp32 or fp64");
    }
}
