package dev.tandem.core.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.UsageException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TensorTest {

    private final Arena arena = Arena.ofAuto();

    /** Element i in row-major order has the value i. */
    private Tensor counting(DType type, long... shape) {
        Tensor tensor = Tensor.allocate(arena, type, shape);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, tensor.indexOf(i));
        }
        return tensor;
    }

    @Test
    void allocatedTensorIsZeroedAlignedAndDescribesItself() {
        Tensor t = Tensor.allocate(arena, DType.F16, 3, 5, 7);
        assertThat(t.shape()).containsExactly(3, 5, 7);
        assertThat(t.strides()).containsExactly(35, 7, 1);
        assertThat(t.rank()).isEqualTo(3);
        assertThat(t.size(1)).isEqualTo(5);
        assertThat(t.elements()).isEqualTo(105);
        assertThat(t.byteSize()).isEqualTo(210);
        assertThat(t.segment().address() % Tensor.ALIGNMENT_BYTES).isZero();
        assertThat(t.toFloatArray()).containsOnly(0).hasSize(105);
        assertThat(t).hasToString("Tensor[fp16 3x5x7]");
        assertThat(t.isContiguous()).isTrue();
    }

    @Test
    void shapeIsACopy() {
        long[] given = {2, 3};
        Tensor t = Tensor.allocate(arena, DType.F32, given);
        given[0] = 9;
        t.shape()[0] = 9;
        t.strides()[0] = 9;
        assertThat(t.size(0)).isEqualTo(2);
        assertThat(t.shape()).containsExactly(2, 3);
    }

    @Test
    void scalarsAndEmptyTensorsAreTensors() {
        Tensor scalar = Tensor.allocate(arena, DType.F64).fill(2.5);
        assertThat(scalar.getDouble()).isEqualTo(2.5);
        assertThat(scalar.elements()).isEqualTo(1);
        assertThat(scalar).hasToString("Tensor[fp64 scalar]");
        Tensor empty = Tensor.allocate(arena, DType.F64, 4, 0, 3);
        assertThat(empty.elements()).isZero();
        assertThat(empty.fill(1).toFloatArray()).isEmpty();
        assertThat(empty.isContiguous()).isTrue();
        assertThat(empty.narrow(0, 4, 0).reshape(0, 9).segment().byteSize()).isZero();
        assertThat(empty.copyFrom(Tensor.allocate(arena, DType.F16, 4, 0, 3))).isSameAs(empty);
        assertThat(counting(DType.F32, 3, 4).narrow(0, 3, 0).elements()).isZero();
    }

    @Test
    void narrowSharesMemoryAndKeepsStrides() {
        Tensor t = counting(DType.F32, 4, 6);
        Tensor block = t.narrow(0, 1, 2).narrow(1, 2, 3);
        assertThat(block.toFloatArray()).containsExactly(8, 9, 10, 14, 15, 16);
        assertThat(block.isContiguous()).isFalse();
        assertThat(block.segment().byteSize()).isEqualTo(4 * (6 + 3));
        assertThat(block.byteSize()).isEqualTo(24);
        block.fill(-1);
        assertThat(t.toFloatArray()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, -1, -1, -1, 11, 12, 13, -1, -1, -1, 17, 18,
                19, 20, 21, 22, 23);
        assertThat(t.narrow(0, 2, 1).narrow(1, 1, 4).isContiguous()).isTrue();
        assertThat(t.narrow(1, 3, 1).toFloatArray()).containsExactly(3, -1, -1, 21);
    }

    @Test
    void matrixSeesRowsAndStride() {
        MatrixView view = counting(DType.BF16, 4, 6).narrow(1, 2, 3).matrix();
        assertThat(view.rows()).isEqualTo(4);
        assertThat(view.cols()).isEqualTo(3);
        assertThat(view.rowStride()).isEqualTo(6);
        assertThat(Conversions.get(view.segment(), DType.BF16, view.byteOffset(2, 1) / 2)).isEqualTo(15);
        MatrixView row = counting(DType.F32, 5).matrix();
        assertThat(row.rows()).isEqualTo(1);
        assertThat(row.cols()).isEqualTo(5);
        assertThatThrownBy(() -> counting(DType.F32, 2, 2, 2).matrix()).isInstanceOf(UsageException.class)
                .hasMessage("not a matrix: Tensor[fp32 2x2x2], rank=3; reshape it to two dimensions");
    }

    @Test
    void reshapeKeepsElementsAndRefusesGaps() {
        Tensor t = counting(DType.I32, 4, 6);
        assertThat(t.reshape(2, 3, 4).getDouble(1, 2, 3)).isEqualTo(23);
        assertThat(t.narrow(0, 1, 2).reshape(12).getDouble(0)).isEqualTo(6);
        assertThatThrownBy(() -> t.reshape(5, 5)).isInstanceOf(UsageException.class)
                .hasMessageContaining("elements=24, int32 5x5 has 25");
        assertThatThrownBy(() -> t.narrow(1, 0, 3).reshape(12)).isInstanceOf(UsageException.class)
                .hasMessageContaining("view with gaps");
    }

    @ParameterizedTest
    @EnumSource
    void copyConvertsToEveryFloat(DType from) {
        Tensor source = counting(from, 5, 7).narrow(1, 1, 5);
        for (DType to : DType.values()) {
            Tensor whole = Tensor.allocate(arena, to, 5, 9).fill(77);
            Tensor target = whole.narrow(1, 2, 5);
            if (!to.isFloat() && to != from) {
                assertThatThrownBy(() -> target.copyFrom(source)).isInstanceOf(UsageException.class);
                continue;
            }
            assertThat(target.copyFrom(source)).isSameAs(target);
            assertThat(target.toFloatArray()).containsExactly(source.toFloatArray());
            assertThat(whole.narrow(1, 0, 2).toFloatArray()).containsOnly(77);
            assertThat(whole.narrow(1, 7, 2).toFloatArray()).containsOnly(77);
        }
    }

    @Test
    void overlappingCopiesBehaveAsIfCopiedAway() {
        Tensor t = counting(DType.F32, 6, 4);
        t.narrow(0, 1, 5).copyFrom(t.narrow(0, 0, 5));
        assertThat(t.narrow(0, 5, 1).toFloatArray()).containsExactly(16, 17, 18, 19);
        assertThat(t.narrow(0, 1, 1).toFloatArray()).containsExactly(0, 1, 2, 3);
        Tensor u = counting(DType.F32, 4, 6);
        u.narrow(0, 1, 3).narrow(1, 1, 5).copyFrom(u.narrow(0, 0, 3).narrow(1, 0, 5));
        assertThat(u.narrow(0, 3, 1).toFloatArray()).containsExactly(18, 12, 13, 14, 15, 16);
        assertThat(u.narrow(0, 1, 1).toFloatArray()).containsExactly(6, 0, 1, 2, 3, 4);
        MemorySegment memory = arena.allocate(32);
        Tensor halves = Tensor.of(memory, DType.F16, 4).fill(3);
        Tensor floats = Tensor.of(memory, DType.F32, 4).copyFrom(halves);
        assertThat(floats.toFloatArray()).containsOnly(3);
    }

    @Test
    void fillRoundsOnceAndIntegersTakeWholeNumbersOnly() {
        Tensor large = Tensor.allocate(arena, DType.F16, 5000).fill(0.1);
        assertThat(large.toFloatArray()).containsOnly(Float.float16ToFloat(Float.floatToFloat16(0.1f)));
        assertThat(Tensor.allocate(arena, DType.I64, 2).fill(-0x1p63).getDouble(1)).isEqualTo(-0x1p63);
        Tensor ints = Tensor.allocate(arena, DType.I32, 2);
        for (double bad : new double[]{0.5, Double.NaN, 0x1p31, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> ints.fill(bad)).isInstanceOf(UsageException.class)
                    .hasMessage("not a value of int32: value=" + bad + "; pass a whole number of its range");
            assertThatThrownBy(() -> ints.setDouble(bad, 0)).isInstanceOf(UsageException.class);
        }
    }

    @Test
    void wrongCallsAreNamed() {
        Tensor t = counting(DType.F32, 2, 3);
        assertThatThrownBy(() -> t.getDouble(0)).isInstanceOf(UsageException.class)
                .hasMessageContaining("indices=1, rank=2");
        assertThatThrownBy(() -> t.getDouble(0, 3)).isInstanceOf(UsageException.class)
                .hasMessageContaining("index=3, size=3");
        assertThatThrownBy(() -> t.getDouble(-1, 0)).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> t.narrow(2, 0, 1)).isInstanceOf(UsageException.class).hasMessageContaining("dim=2");
        assertThatThrownBy(() -> t.narrow(1, 2, 2)).isInstanceOf(UsageException.class)
                .hasMessageContaining("dimension 1 offset=2, length=2, size=3");
        assertThatThrownBy(() -> t.size(2)).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> t.copyFrom(counting(DType.F32, 3, 2))).isInstanceOf(UsageException.class)
                .hasMessage(
                        "shapes differ: source=Tensor[fp32 3x2], target=Tensor[fp32 2x3]; copy between equal shapes");
        assertThatThrownBy(() -> Tensor.of(arena.allocate(23), DType.F32, 2, 3)).isInstanceOf(UsageException.class)
                .hasMessage("memory too small: bytes=23, fp32 2x3 needs 24; pass at least as many");
        assertThatThrownBy(() -> Tensor.allocate(arena, DType.F32, 2, -1)).isInstanceOf(UsageException.class)
                .hasMessageContaining("negative size: shape=[2, -1]");
        assertThatThrownBy(() -> Tensor.allocate(arena, DType.F32, 1L << 40, 1L << 40, 0))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("too large");
        assertThatThrownBy(() -> t.reshape(1L << 40, 1L << 40)).isInstanceOf(UsageException.class)
                .hasMessageContaining("too large");
    }

    @Test
    void useAfterTheArenaIsClosedIsAnException() {
        Tensor t;
        try (Arena confined = Arena.ofConfined()) {
            t = Tensor.allocate(confined, DType.F32, 4);
        }
        assertThatThrownBy(() -> t.getDouble(0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> t.fill(1)).isInstanceOf(IllegalStateException.class);
    }

    /** Above 2 GiB in elements' distance, without touching the memory between. */
    @Test
    @SuppressWarnings("restricted") // a large segment that costs no memory; nothing is touched beyond the first line
    void offsetsAreLong() {
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment big = MemorySegment.ofAddress(confined.allocate(64, 64).address()).reinterpret(1L << 42);
            Tensor t = Tensor.of(big, DType.F16, 1L << 20, 1L << 20);
            Tensor view = t.narrow(0, (1L << 20) - 1, 1);
            assertThat(view.segment().address() - big.address()).isEqualTo(((1L << 40) - (1L << 20)) * 2);
            assertThatThrownBy(t::toFloatArray).isInstanceOf(UsageException.class)
                    .hasMessageContaining("elements=1099511627776");
        }
    }
}
