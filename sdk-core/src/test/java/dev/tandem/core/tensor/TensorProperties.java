package dev.tandem.core.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Views against plain arrays: a model of int positions is narrowed, reshaped and copied in the same way, element by element. jqwik
 * prints the seed and the shrunk arguments of a failure.
 */
class TensorProperties {

    private static final DType[] TYPES = DType.values();

    /** A tensor beside its model: for each element, row-major, its place in the whole tensor. */
    private record Modelled(Tensor tensor, int[] places) {
    }

    private static long[] shape(SplittableRandom random, int rank) {
        long[] shape = new long[rank];
        for (int dim = 0; dim < rank; dim++) {
            shape[dim] = random.nextInt(random.nextInt(12) == 0 ? 0 : 1, 8);
        }
        return shape;
    }

    private static int product(long[] shape) {
        return (int) Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    }

    /** Element i holds i. */
    private static Modelled whole(DType type, long[] shape) {
        Tensor tensor = Tensor.allocate(Arena.ofAuto(), type, shape);
        int[] places = new int[product(shape)];
        for (int i = 0; i < places.length; i++) {
            places[i] = i;
            tensor.reshape(places.length).setDouble(i % 251, i);
        }
        return new Modelled(tensor, places);
    }

    private static Modelled narrowed(Modelled from, SplittableRandom random) {
        long[] shape = from.tensor.shape();
        if (shape.length == 0) {
            return from;
        }
        int dim = random.nextInt(shape.length);
        long start = random.nextLong(shape[dim] + 1);
        long length = random.nextLong(shape[dim] - start + 1);
        return narrowedTo(from, dim, start, length);
    }

    private static float[] values(int[] places) {
        float[] values = new float[places.length];
        for (int i = 0; i < places.length; i++) {
            values[i] = places[i] % 251;
        }
        return values;
    }

    @Property(tries = 500)
    void narrowSelectsWhatTheModelSelects(@ForAll long seed, @ForAll @IntRange(max = 5) int rank,
            @ForAll @IntRange(max = 6) int steps) {
        SplittableRandom random = new SplittableRandom(seed);
        Modelled view = whole(TYPES[random.nextInt(TYPES.length)], shape(random, rank));
        for (int step = 0; step < steps; step++) {
            view = narrowed(view, random);
        }
        Tensor tensor = view.tensor;
        assertThat(tensor.elements()).isEqualTo(view.places.length);
        assertThat(tensor.toFloatArray()).containsExactly(values(view.places));
        assertThat(tensor.isContiguous()).isEqualTo(tensor.segment().byteSize() == tensor.byteSize());
        for (int i = 0; i < view.places.length; i++) {
            assertThat(tensor.getDouble(tensor.indexOf(i))).isEqualTo(view.places[i] % 251);
        }
        if (tensor.isContiguous()) {
            assertThat(tensor.reshape(tensor.elements()).toFloatArray()).containsExactly(values(view.places));
        }
    }

    @Property(tries = 500)
    void copyAndFillTouchTheViewAndNothingElse(@ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int rank) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] shape = shape(random, rank);
        DType from = TYPES[random.nextInt(4)];
        DType to = TYPES[random.nextInt(4)];
        Modelled all = whole(to, shape);
        Modelled view = narrowed(narrowed(all, random), random);
        long[] larger = view.tensor.shape();
        for (int dim = 0; dim < rank; dim++) {
            larger[dim] += 2;
        }
        Tensor source = RandomTensors.integers(Tensor.allocate(Arena.ofAuto(), from, larger), seed, -100, 100);
        for (int dim = 0; dim < rank; dim++) {
            source = source.narrow(dim, 1, larger[dim] - 2);
        }
        float[] wanted = values(all.places);
        float[] given = source.toFloatArray();
        view.tensor.copyFrom(source);
        for (int i = 0; i < given.length; i++) {
            wanted[view.places[i]] = given[i];
        }
        assertThat(all.tensor.toFloatArray()).containsExactly(wanted);
        view.tensor.fill(-5);
        for (int place : view.places) {
            wanted[place] = -5;
        }
        assertThat(all.tensor.toFloatArray()).containsExactly(wanted);
    }

    @Property(tries = 300)
    void overlappingCopiesAreCopiesOfTheState(@ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int rank) {
        SplittableRandom random = new SplittableRandom(seed);
        Modelled all = whole(DType.F32, shape(random, rank));
        Modelled one = all;
        Modelled two = all;
        for (int dim = 0; dim < rank; dim++) {
            long size = all.tensor.size(dim);
            long length = random.nextLong(size + 1);
            one = narrowedTo(one, dim, random.nextLong(size - length + 1), length);
            two = narrowedTo(two, dim, random.nextLong(size - length + 1), length);
        }
        float[] wanted = values(all.places);
        float[] before = wanted.clone();
        two.tensor.copyFrom(one.tensor);
        for (int i = 0; i < two.places.length; i++) {
            wanted[two.places[i]] = before[one.places[i]];
        }
        assertThat(all.tensor.toFloatArray()).containsExactly(wanted);
    }

    private static Modelled narrowedTo(Modelled from, int dim, long start, long length) {
        long[] shape = from.tensor.shape();
        int inner = product(Arrays.copyOfRange(shape, dim + 1, shape.length));
        int[] kept = new int[from.places.length];
        int count = 0;
        for (int i = 0; i < from.places.length; i++) {
            long index = i / inner % shape[dim];
            if (index >= start && index < start + length) {
                kept[count++] = from.places[i];
            }
        }
        return new Modelled(from.tensor.narrow(dim, start, length), Arrays.copyOf(kept, count));
    }
}
