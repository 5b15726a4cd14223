package dev.tandem.core.npy;

import dev.tandem.core.tensor.DType;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.StringJoiner;

/**
 * The layout of a {@code .npy} file.
 *
 * <pre>
 *   0        6       7       8            8 + L                    8 + L + H
 *   +--------+-------+-------+------------+------------------------+--------------------+
 *   | magic  | major | minor | H, little  | header: Python literal | elements           |
 *   | 6 byte | 1     | 1     | L = 2 or 4 | spaces, line feed      | no gaps            |
 *   +--------+-------+-------+------------+------------------------+--------------------+
 * </pre>
 *
 * L is 2 in version 1.0 and 4 in versions 2.0 and 3.0. The header is
 * {@code {'descr': '<f2', 'fortran_order': False, 'shape': (3, 4), }}, padded so that the elements begin at a multiple of 64.
 */
final class NpyDescriptor {

    static final int MAGIC_OFFSET = 0;
    static final int MAJOR_OFFSET = 6;
    static final int MINOR_OFFSET = 7;
    static final int LENGTH_OFFSET = 8;

    /** Elements of a written file begin at a multiple of this many bytes. */
    static final int ALIGNMENT_BYTES = 64;

    /** The longest header that is read: far more than the greatest shape needs. */
    static final int MAX_HEADER_BYTES = 1 << 20;

    /** The most dimensions, as in NumPy. */
    static final int MAX_RANK = 64;

    /** NumPy leaves room for the longest first size, so that a file can grow in place. */
    private static final int GROWTH_DIGITS = 21;

    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

    private NpyDescriptor() {
    }

    /** Whether bytes begin with the magic. */
    static boolean hasMagic(byte[] start) {
        return Arrays.equals(start, MAGIC_OFFSET, MAJOR_OFFSET, MAGIC, 0, MAGIC.length);
    }

    /** Bytes of the field that holds the header's length; 0 for a version that is not known. */
    static int lengthBytes(int major, int minor) {
        if (minor != 0) {
            return 0;
        }
        return switch (major) {
            case 1 -> Short.BYTES;
            case 2, 3 -> Integer.BYTES;
            default -> 0;
        };
    }

    /** Type code without byte order; bf16 by the convention of {@link Npy}. */
    static String code(DType type) {
        return switch (type) {
            case F16 -> "f2";
            case BF16 -> "u2";
            case F32 -> "f4";
            case F64 -> "f8";
            case I32 -> "i4";
            case I64 -> "i8";
        };
    }

    /** Everything before the elements, byte for byte as NumPy writes it. */
    static byte[] encode(DType type, long[] shape) {
        StringBuilder header = new StringBuilder("{'descr': '<").append(code(type))
                .append("', 'fortran_order': False, 'shape': ")
                .append(tuple(shape))
                .append(", }");
        if (shape.length > 0) {
            header.append(" ".repeat(Math.max(0, GROWTH_DIGITS - Long.toString(shape[0]).length())));
        }
        int unpadded = LENGTH_OFFSET + Short.BYTES + header.length() + 1;
        header.append(" ".repeat(ALIGNMENT_BYTES - unpadded % ALIGNMENT_BYTES)).append('\n');
        byte[] text = header.toString().getBytes(StandardCharsets.US_ASCII);
        byte[] file = new byte[LENGTH_OFFSET + Short.BYTES + text.length];
        System.arraycopy(MAGIC, 0, file, MAGIC_OFFSET, MAGIC.length);
        file[MAJOR_OFFSET] = 1;
        file[MINOR_OFFSET] = 0;
        file[LENGTH_OFFSET] = (byte) text.length;
        file[LENGTH_OFFSET + 1] = (byte) (text.length >>> 8);
        System.arraycopy(text, 0, file, LENGTH_OFFSET + Short.BYTES, text.length);
        return file;
    }

    /** A shape as Python writes it: {@code ()}, {@code (3,)}, {@code (3, 4)}. */
    static String tuple(long[] shape) {
        if (shape.length == 1) {
            return "(" + shape[0] + ",)";
        }
        StringJoiner sizes = new StringJoiner(", ", "(", ")");
        for (long size : shape) {
            sizes.add(Long.toString(size));
        }
        return sizes.toString();
    }

    /**
     * What a header says.
     *
     * @param code type code without byte order, such as {@code f2}
     * @param order byte order of the elements
     * @param fortran whether the first index runs fastest
     * @param shape sizes of the dimensions
     */
    record Header(String code, ByteOrder order, boolean fortran, long[] shape) {

        /** Descr, order and shape as a user reads them. */
        String describe() {
            return "'" + (order == ByteOrder.LITTLE_ENDIAN ? "<" : ">") + code + "' " + tuple(shape);
        }
    }
}
