package dev.tandem.core.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tandem.core.UsageException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class RandomTensorsTest {

    private final Arena arena = Arena.ofAuto();

    @Test
    void sameSeedSameValuesWhateverTheLayout() {
        Tensor plain = RandomTensors.normal(Tensor.allocate(arena, DType.F64, 37, 501), 42);
        Tensor view = Tensor.allocate(arena, DType.F64, 37, 700).fill(9).narrow(1, 11, 501);
        RandomTensors.normal(view, 42);
        assertThat(Closeness.exact(view, plain)).hasToString("all 18537 elements equal bit for bit");
        Tensor other = RandomTensors.normal(Tensor.allocate(arena, DType.F64, 37, 501), 43);
        assertThat(Closeness.exact(other, plain).mismatched()).isEqualTo(18_537);
    }

    @Test
    void everyTypeGetsTheSameValuesRoundedOnce() {
        Tensor wide = RandomTensors.normal(Tensor.allocate(arena, DType.F64, 5000), 1);
        for (DType type : new DType[]{DType.F16, DType.BF16, DType.F32}) {
            Tensor narrow = RandomTensors.normal(Tensor.allocate(arena, type, 5000), 1);
            Tensor rounded = Tensor.allocate(arena, type, 5000).copyFrom(wide);
            assertThat(Closeness.exact(narrow, rounded).close()).isTrue();
        }
    }

    /** Golden bits, from an independent implementation of the documented algorithm (Python's statistics module). */
    @Test
    void valuesAreThoseOfTheDocumentedAlgorithm() {
        Tensor uniform = RandomTensors.uniform(Tensor.allocate(arena, DType.F64, GOLDEN.length), 42, 0, 1);
        Tensor normal = RandomTensors.normal(Tensor.allocate(arena, DType.F64, GOLDEN.length), 42);
        for (int i = 0; i < GOLDEN.length; i++) {
            assertThat(uniform.getDouble(i)).isEqualTo(GOLDEN[i][0]);
            assertThat(normal.getDouble(i)).isCloseTo(GOLDEN[i][1], within(4e-15));
        }
    }

    private static final double[][] GOLDEN = {
        {0.7415648787718233, 0.648177361328852},
        {0.15991039287692022, -0.9948262318051991},
        {0.27860113025513866, -0.5870021533389611},
        {0.34419071652363764, -0.40105255214178553},
        {0.03803016854024632, -1.774017007897951},
        {0.8682280765465323, 1.118054196995651},
        {0.21840519371218436, -0.777590628687285},
        {0.8006318767135033, 0.8438803913602274},
    };

    @Test
    void inverseNormalMatchesHighPrecision() {
        // p and the quantile to 17 digits, by bisection of a 40-digit error function.
        double[][] golden = {
            {0.3, -0.5244005127080408},
            {0.074, -1.4466320671589785},
            {0.0751, -1.43882539275254},
            {0.925, 1.4395314709384561},
            {0.99, 2.3263478740408408},
            {1e-06, -4.753424308822899},
            {1e-11, -6.706023155495136},
            {2e-12, -6.9371814280356805},
            {1e-15, -7.941345326170997},
            {0.5000000000009095, 2.2797651350911116e-12},
            {1.1102230246251565e-16, -8.209536151601387},
        };
        for (double[] pair : golden) {
            assertThat(RandomTensors.inverseNormal(pair[0])).as("p=%s", pair[0])
                    .isCloseTo(pair[1], within(Math.abs(pair[1]) * 1e-15 + 1e-300));
        }
        assertThat(RandomTensors.inverseNormal(0.5)).isZero();
        assertThat(RandomTensors.inverseNormal(0x1p-53)).isFinite().isLessThan(-8);
    }

    @Test
    void momentsAreThoseOfTheDistribution() {
        int n = 400_000;
        float[] normal = RandomTensors.normal(Tensor.allocate(arena, DType.F32, n), 5, 3, 2).toFloatArray();
        double mean = 0;
        double square = 0;
        double cube = 0;
        double fourth = 0;
        for (float x : normal) {
            double z = (x - 3.0) / 2;
            mean += z / n;
            square += z * z / n;
            cube += z * z * z / n;
            fourth += z * z * z * z / n;
        }
        assertThat(mean).isCloseTo(0, within(0.01));
        assertThat(square).isCloseTo(1, within(0.01));
        assertThat(cube).isCloseTo(0, within(0.03));
        assertThat(fourth).isCloseTo(3, within(0.1));
        float[] uniform = RandomTensors.uniform(Tensor.allocate(arena, DType.F32, n), 5, -1, 3).toFloatArray();
        int[] bins = new int[8];
        for (float x : uniform) {
            assertThat(x).isBetween(-1f, 3f);
            bins[Math.min(7, (int) ((x + 1) * 2))]++;
        }
        for (int bin : bins) {
            assertThat(bin).isCloseTo(n / 8, within(1500));
        }
    }

    @Test
    void integersAreWholeAndReachBothEnds() {
        float[] values = RandomTensors.integers(Tensor.allocate(arena, DType.BF16, 4000), 9, -2, 2).toFloatArray();
        assertThat(values).containsOnly(-2, -1, 0, 1, 2).contains(-2, 2, 0, -1, 1);
    }

    @Test
    void seedsOfDifferentPathsDiffer() {
        assertThat(RandomTensors.seed(1)).isEqualTo(RandomTensors.seed(1));
        assertThat(new long[]{RandomTensors.seed(1), RandomTensors.seed(2), RandomTensors.seed(1, 0),
            RandomTensors.seed(1, 1), RandomTensors.seed(1, 0, 1), RandomTensors.seed(1, 1, 0),
            RandomTensors.seed(2, 1)}).doesNotHaveDuplicates();
    }

    @Test
    void wrongCallsAreNamed() {
        Tensor ints = Tensor.of(MemorySegment.ofArray(new int[4]), DType.I32, 4);
        Tensor floats = Tensor.of(MemorySegment.ofArray(new float[4]), DType.F32, 4);
        assertThatThrownBy(() -> RandomTensors.normal(ints, 1)).isInstanceOf(UsageException.class)
                .hasMessage("no random values for Tensor[int32 4]; use a tensor of fp16, bf16, fp32 or fp64");
        assertThatThrownBy(() -> RandomTensors.normal(floats, 1, 0, -1)).isInstanceOf(UsageException.class)
                .hasMessageContaining("deviation=-1.0");
        assertThatThrownBy(() -> RandomTensors.uniform(floats, 1, 1, 0)).isInstanceOf(UsageException.class)
                .hasMessageContaining("low=1.0, high=0.0");
        assertThatThrownBy(() -> RandomTensors.integers(floats, 1, 1, 0)).isInstanceOf(UsageException.class);
        RandomTensors.normal(Tensor.of(MemorySegment.ofArray(new float[0]), DType.F32, 0), 1);
    }
}
