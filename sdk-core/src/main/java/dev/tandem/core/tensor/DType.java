package dev.tandem.core.tensor;

import dev.tandem.core.UsageException;

/** Element types of tensors and tiles. Byte order in memory is the machine's own. */
public enum DType {
    /** IEEE 754 binary16. */
    F16("fp16", 2),
    /** bfloat16: the upper half of a binary32. */
    BF16("bf16", 2),
    /** IEEE 754 binary32. */
    F32("fp32", 4),
    /** IEEE 754 binary64. */
    F64("fp64", 8),
    /** Signed 32-bit integer. */
    I32("int32", 4),
    /** Signed 64-bit integer. */
    I64("int64", 8);

    private final String label;
    private final int bytes;

    DType(String label, int bytes) {
        this.label = label;
        this.bytes = bytes;
    }

    /**
     * Says the size of an element.
     *
     * @return bytes of one element
     */
    public int bytes() {
        return bytes;
    }

    /**
     * Says whether this is a floating-point type.
     *
     * @return true for fp16, bf16, fp32 and fp64
     */
    public boolean isFloat() {
        return this == F16 || this == BF16 || this == F32 || this == F64;
    }

    /**
     * Finds a type by its field name.
     *
     * @param label such as {@code fp16}
     * @return the type
     */
    public static DType of(String label) {
        for (DType type : values()) {
            if (type.label.equalsIgnoreCase(label)) {
                return type;
            }
        }
        throw new UsageException("unknown dtype: " + label + "; use fp16, bf16, fp32, fp64, int32 or int64");
    }

    /** The field's name of the type, such as {@code fp16}. */
    @Override
    public String toString() {
        return label;
    }
}
