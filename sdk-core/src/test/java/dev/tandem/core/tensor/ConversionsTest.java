package dev.tandem.core.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.UsageException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ConversionsTest {

    private static final int PATTERNS = 65_536;

    /** The value of a 16-bit pattern by the definition of the format, in double. */
    private static double define(int bits, int exponentBits, int fractionBits) {
        int sign = bits >>> 15 & 1;
        int exponent = bits >>> fractionBits & ((1 << exponentBits) - 1);
        int fraction = bits & ((1 << fractionBits) - 1);
        int bias = (1 << (exponentBits - 1)) - 1;
        double magnitude;
        if (exponent == (1 << exponentBits) - 1) {
            magnitude = fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
        } else if (exponent == 0) {
            magnitude = Math.scalb((double) fraction, 1 - bias - fractionBits);
        } else {
            magnitude = Math.scalb((double) (fraction | 1 << fractionBits), exponent - bias - fractionBits);
        }
        return sign == 0 ? magnitude : -magnitude;
    }

    private static double define(DType type, int bits) {
        return type == DType.F16 ? define(bits, 5, 10) : define(bits, 8, 7);
    }

    private static MemorySegment allPatterns() {
        short[] all = new short[PATTERNS];
        for (int i = 0; i < PATTERNS; i++) {
            all[i] = (short) i;
        }
        return MemorySegment.ofArray(all);
    }

    @ParameterizedTest
    @EnumSource(names = {"F16", "BF16"})
    void everyPatternWidensToItsDefinedValue(DType type) {
        float[] floats = new float[PATTERNS];
        double[] doubles = new double[PATTERNS];
        Conversions.toFloats(allPatterns(), type, 0, floats, 0, PATTERNS);
        Conversions.toDoubles(allPatterns(), type, 0, doubles, 0, PATTERNS);
        for (int i = 0; i < PATTERNS; i++) {
            double wanted = define(type, i);
            assertThat(Double.compare(floats[i], wanted)).as("%s %04x as float", type, i).isZero();
            assertThat(Double.compare(doubles[i], wanted)).as("%s %04x as double", type, i).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F16", "BF16"})
    void everyPatternComesBack(DType type) {
        for (DType over : new DType[]{DType.F32, DType.F64}) {
            MemorySegment wide = MemorySegment.ofArray(new long[PATTERNS * over.bytes() / 8]);
            MemorySegment back = MemorySegment.ofArray(new short[PATTERNS]);
            Conversions.convert(allPatterns(), type, 0, wide, over, 0, PATTERNS);
            Conversions.convert(wide, over, 0, back, type, 0, PATTERNS);
            for (int i = 0; i < PATTERNS; i++) {
                int wanted = i;
                if (Double.isNaN(define(type, i))) {
                    wanted |= type == DType.F16 ? 0x200 : 0x40;
                }
                int got = back.getAtIndex(ValueLayout.JAVA_SHORT, i) & 0xffff;
                assertThat(got).as("%s %04x over %s", type, i, over).isEqualTo(wanted);
            }
        }
    }

    /** Between any two neighbours: the midpoint goes to the even one, a hair to either side goes to that side. */
    @ParameterizedTest
    @EnumSource(names = {"F16", "BF16"})
    void everyGapRoundsToNearestEven(DType type) {
        int top = type == DType.F16 ? 0x7bff : 0x7f7f;
        double[] in = new double[3 * (top + 1)];
        int[] wanted = new int[in.length];
        for (int bits = 0; bits <= top; bits++) {
            double low = define(type, bits);
            // Above the greatest value the next one would be 2^16 (2^128): from the midpoint on it is infinity.
            double high = bits < top ? define(type, bits + 1) : type == DType.F16 ? 0x1p16 : 0x1p128;
            double middle = low + (high - low) / 2;
            in[3 * bits] = Math.nextDown(middle);
            in[3 * bits + 1] = middle;
            in[3 * bits + 2] = Math.nextUp(middle);
            wanted[3 * bits] = bits;
            wanted[3 * bits + 1] = (bits & 1) == 0 ? bits : bits + 1;
            wanted[3 * bits + 2] = bits + 1;
        }
        for (int sign = 0; sign < 2; sign++) {
            MemorySegment out = MemorySegment.ofArray(new short[in.length]);
            Conversions.fromDoubles(in, 0, out, type, 0, in.length);
            for (int i = 0; i < in.length; i++) {
                int want = wanted[i] | sign << 15;
                assertThat(out.getAtIndex(ValueLayout.JAVA_SHORT, i) & 0xffff).as("%s of %s", type, in[i])
                        .isEqualTo(want);
                short one = type == DType.F16 ? Conversions.doubleToFp16(in[i]) : Conversions.doubleToBf16(in[i]);
                assertThat(one & 0xffff).isEqualTo(want);
                in[i] = -in[i];
            }
        }
    }

    /** Random floats of all magnitudes against exact decimal arithmetic. */
    @ParameterizedTest
    @EnumSource(names = {"F16", "BF16"})
    void randomFloatsRoundAsExactArithmeticSays(DType type) {
        long seed = 20_261_201;
        SplittableRandom random = new SplittableRandom(seed);
        float[] in = new float[20_001];
        for (int i = 0; i < in.length; i++) {
            in[i] = Float.intBitsToFloat(random.nextInt());
        }
        MemorySegment out = MemorySegment.ofArray(new short[in.length]);
        Conversions.fromFloats(in, 0, out, type, 0, in.length);
        for (int i = 0; i < in.length; i++) {
            short got = out.getAtIndex(ValueLayout.JAVA_SHORT, i);
            double value = define(type, got & 0xffff);
            String what = "seed=" + seed + " i=" + i + " " + type + " of " + in[i];
            if (Float.isNaN(in[i])) {
                assertThat(value).as(what).isNaN();
                continue;
            }
            double limit = type == DType.F16 ? 65_520 : 0x1.ffp127;
            if (Math.abs(in[i]) >= limit) {
                assertThat(value).as(what).isEqualTo(Math.copySign(Double.POSITIVE_INFINITY, in[i]));
                continue;
            }
            BigDecimal error = new BigDecimal(value).subtract(new BigDecimal(in[i])).abs();
            for (int step = -1; step <= 1; step += 2) {
                double other = define(type, (got & 0xffff) + step & 0xffff);
                if (Double.isFinite(other)) {
                    int order = error.compareTo(new BigDecimal(other).subtract(new BigDecimal(in[i])).abs());
                    assertThat(order < 0 || order == 0 && (got & 1) == 0).as(what).isTrue();
                }
            }
        }
    }

    /** A double just above a midpoint that rounds to the midpoint as a float: two roundings would go down. */
    @Test
    void doublesAreNotRoundedTwice() {
        double justAbove = 1 + 0x1p-11 + 0x1p-40;
        assertThat(Conversions.doubleToFp16(justAbove)).isEqualTo((short) 0x3c01);
        assertThat(Float.floatToFloat16((float) justAbove)).isEqualTo((short) 0x3c00);
        assertThat(Conversions.doubleToBf16(1 + 0x1p-8 + 0x1p-40)).isEqualTo((short) 0x3f81);
        assertThat(Conversions.doubleToFp16(1e300)).isEqualTo((short) 0x7c00);
        assertThat(Conversions.doubleToBf16(-1e300)).isEqualTo((short) 0xff80);
        assertThat(Conversions.doubleToFp16(-1e-300)).isEqualTo((short) 0x8000);
        assertThat(Float.isNaN(Conversions.bf16ToFloat(Conversions.doubleToBf16(Double.NaN)))).isTrue();
    }

    @Test
    void longsAreRoundedOnce() {
        // The midpoint of 2^62 and the next bfloat16 is 2^62 + 2^54.
        long[] in = {(1L << 62) + (1L << 54), (1L << 62) + (1L << 54) + 1, -(1L << 62) - (1L << 54) - 1,
            (1L << 62) + (1L << 54) - 1, Long.MIN_VALUE, Long.MAX_VALUE, 3, -65_519};
        double below = 0x1p62;
        double above = 0x1p62 + 0x1p55;
        double[] wanted = {below, above, -above, below, -0x1p63, 0x1p63, 3, -65_536};
        MemorySegment out = MemorySegment.ofArray(new short[in.length]);
        Conversions.convert(MemorySegment.ofArray(in), DType.I64, 0, out, DType.BF16, 0, in.length);
        float[] values = new float[in.length];
        Conversions.toFloats(out, DType.BF16, 0, values, 0, in.length);
        for (int i = 0; i < in.length; i++) {
            assertThat((double) values[i]).as("bf16 of %d", in[i]).isEqualTo(wanted[i]);
        }
        MemorySegment floats = MemorySegment.ofArray(new float[in.length]);
        Conversions.convert(MemorySegment.ofArray(in), DType.I64, 0, floats, DType.F32, 0, in.length);
        for (int i = 0; i < in.length; i++) {
            assertThat(floats.getAtIndex(ValueLayout.JAVA_FLOAT, i)).isEqualTo((float) in[i]);
        }
        MemorySegment halves = MemorySegment.ofArray(new short[in.length]);
        Conversions.convert(MemorySegment.ofArray(in), DType.I64, 0, halves, DType.F16, 0, in.length);
        assertThat(halves.getAtIndex(ValueLayout.JAVA_SHORT, 7)).isEqualTo((short) 0xfbff);
        assertThat(halves.getAtIndex(ValueLayout.JAVA_SHORT, 0)).isEqualTo((short) 0x7c00);
    }

    /** Every pair of types, on and off heap, offsets that no vector divides; nothing outside the range is touched. */
    @ParameterizedTest
    @EnumSource
    void anyTypeToAnyFloat(DType from) {
        long seed = 7;
        SplittableRandom random = new SplittableRandom(seed);
        int count = 2 * Conversions.CHUNK + 37;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment src = arena.allocate((count + 5L) * from.bytes(), 8);
            for (int i = 0; i < count + 5; i++) {
                Conversions.set(src, from, i, random.nextInt(-2000, 2000));
            }
            for (DType to : DType.values()) {
                if (!to.isFloat()) {
                    continue;
                }
                MemorySegment dst = MemorySegment.ofArray(new byte[(count + 8) * to.bytes()]).fill((byte) 0x5a);
                Conversions.convert(src, from, 5, dst, to, 3, count);
                MemorySegment poison = MemorySegment.ofArray(new byte[8]).fill((byte) 0x5a);
                double untouched = Conversions.get(poison, to, 0);
                for (int i = 0; i < count + 8; i++) {
                    double wanted = i < 3 || i >= count + 3 ? untouched : Conversions.get(src, from, i + 2);
                    MemorySegment one = MemorySegment.ofArray(new byte[8]);
                    Conversions.set(one, to, 0, wanted);
                    assertThat(Conversions.get(dst, to, i)).as("seed=%d %s to %s, i=%d", seed, from, to, i)
                            .isEqualTo(Conversions.get(one, to, 0));
                }
            }
        }
    }

    @Test
    void doublesAndFloatsReadWhatIsThere() {
        MemorySegment doubles = MemorySegment.ofArray(new double[]{0.1, 1e300, Double.NaN, -0.0});
        float[] floats = new float[6];
        Conversions.toFloats(doubles, DType.F64, 0, floats, 1, 4);
        assertThat(floats).containsExactly(0, 0.1f, Float.POSITIVE_INFINITY, Float.NaN, -0.0f, 0);
        double[] wide = new double[2];
        Conversions.toDoubles(MemorySegment.ofArray(new int[]{Integer.MIN_VALUE, 5}), DType.I32, 0, wide, 0, 2);
        assertThat(wide).containsExactly(-0x1p31, 5);
        Conversions.toDoubles(MemorySegment.ofArray(new long[]{Long.MIN_VALUE, 5}), DType.I64, 0, wide, 0, 2);
        assertThat(wide).containsExactly(-0x1p63, 5);
        Conversions.toFloats(MemorySegment.ofArray(new int[]{7}), DType.I32, 0, floats, 0, 1);
        Conversions.toFloats(MemorySegment.ofArray(new long[]{8}), DType.I64, 0, floats, 1, 1);
        assertThat(floats).startsWith(7, 8);
    }

    @Test
    void wrongCallsAreNamed() {
        MemorySegment four = MemorySegment.ofArray(new short[4]);
        assertThatThrownBy(() -> Conversions.toFloats(four, DType.F16, 2, new float[9], 0, 3))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("source offset=2, length=3, size=4");
        assertThatThrownBy(() -> Conversions.toFloats(four, DType.F16, 0, new float[2], 0, 3))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("float[] offset=0, length=3, size=2");
        assertThatThrownBy(() -> Conversions.fromFloats(new float[9], 0, four, DType.BF16, 0, -1))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("length=-1");
        for (DType whole : new DType[]{DType.I32, DType.I64}) {
            MemorySegment room = MemorySegment.ofArray(new long[4]);
            assertThatThrownBy(() -> Conversions.fromFloats(new float[1], 0, room, whole, 0, 1))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("integer type: dtype=" + whole);
            assertThatThrownBy(() -> Conversions.fromDoubles(new double[1], 0, room, whole, 0, 1))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("integer type");
            assertThatThrownBy(() -> Conversions.convert(four, DType.F16, 0, room, whole, 0, 1))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("integer type");
        }
    }
}
