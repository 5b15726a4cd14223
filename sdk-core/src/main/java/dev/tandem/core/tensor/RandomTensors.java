package dev.tandem.core.tensor;

import dev.tandem.core.Check;

/**
 * Fills tensors with random values that depend on the seed and on an element's place alone: they are the same on every
 * machine, whatever the memory layout of the tensor, and the same before rounding for every element type.
 *
 * <p>The algorithm, for reproducing the values elsewhere. Element {@code i} in row-major order gets the 64 bits
 * {@code x = mix(seed + (i + 1) * 0x9E3779B97F4A7C15)}, where {@code mix} is the finaliser of SplitMix64 (Steele, Lea, Flood
 * 2014), all modulo 2<sup>64</sup>. {@code u = ((x >>> 12) + 0.5) / 2^52} is uniform in (0, 1), ends excluded. A normal value is the
 * inverse of the normal distribution function at {@code u} by Wichura's algorithm AS 241 (PPND16), which needs the four
 * operations, square root and, in the tails, {@link StrictMath#log}; all are exact to the bit by their definition. The value is
 * scaled and rounded to the element type once.
 *
 * <p>Not for secrets. Stateless and thread-safe.
 */
public final class RandomTensors {

    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    private static final double CENTRE = 0.425;

    private RandomTensors() {
    }

    /**
     * Derives a seed, so that ranks and tensors get values of their own from one seed of the job.
     *
     * @param seed the job's seed
     * @param path what the new seed is for, such as a rank and the number of a tensor
     * @return a seed that differs for any other path in all likelihood
     */
    public static long seed(long seed, long... path) {
        long derived = mix(seed + GOLDEN);
        for (long step : Check.notNull(path, "path")) {
            derived = mix(derived ^ mix(step + GOLDEN)) + GOLDEN;
        }
        return derived;
    }

    /**
     * Fills a tensor with the standard normal distribution, as {@code torch.randn} does (with other values).
     *
     * @param tensor takes the values; of a floating-point type
     * @param seed chooses the values
     * @return {@code tensor}
     */
    public static Tensor normal(Tensor tensor, long seed) {
        return normal(tensor, seed, 0, 1);
    }

    /**
     * Fills a tensor with a normal distribution.
     *
     * @param tensor takes the values; of a floating-point type
     * @param seed chooses the values
     * @param mean the distribution's mean
     * @param deviation the distribution's standard deviation, 0 or more
     * @return {@code tensor}
     */
    public static Tensor normal(Tensor tensor, long seed, double mean, double deviation) {
        Check.that(deviation >= 0, "negative: deviation=" + deviation + "; pass 0 or more");
        return fill(tensor, seed, (uniforms, n) -> {
            for (int i = 0; i < n; i++) {
                uniforms[i] = mean + deviation * inverseNormal(uniforms[i]);
            }
        });
    }

    /**
     * Fills a tensor with the uniform distribution between two bounds; rounding to the element type may reach them.
     *
     * @param tensor takes the values; of a floating-point type
     * @param seed chooses the values
     * @param low lower bound
     * @param high upper bound, at least {@code low}
     * @return {@code tensor}
     */
    public static Tensor uniform(Tensor tensor, long seed, double low, double high) {
        Check.that(low <= high, "empty range: low=" + low + ", high=" + high + "; pass low <= high");
        return fill(tensor, seed, (uniforms, n) -> {
            for (int i = 0; i < n; i++) {
                uniforms[i] = low + (high - low) * uniforms[i];
            }
        });
    }

    /**
     * Fills a tensor with whole numbers, all equally likely. Small ones make sums and products exact in every type, which is what an
     * exact comparison needs.
     *
     * @param tensor takes the values; of a floating-point type
     * @param seed chooses the values
     * @param low the lowest
     * @param high the highest; included
     * @return {@code tensor}
     */
    public static Tensor integers(Tensor tensor, long seed, int low, int high) {
        Check.that(low <= high, "empty range: low=" + low + ", high=" + high + "; pass low <= high");
        double count = (double) high - low + 1;
        return fill(tensor, seed, (uniforms, n) -> {
            for (int i = 0; i < n; i++) {
                uniforms[i] = low + Math.floor(uniforms[i] * count);
            }
        });
    }

    /** Turns uniform values into those wanted, in place. */
    private interface Distribution {
        void apply(double[] uniforms, int n);
    }

    private static Tensor fill(Tensor tensor, long seed, Distribution distribution) {
        Check.notNull(tensor, "tensor");
        Check.that(tensor.dtype().isFloat(),
                "no random values for " + tensor + "; use a tensor of fp16, bf16, fp32 or fp64");
        if (tensor.elements() == 0) {
            return tensor;
        }
        Runs runs = new Runs(tensor);
        double[] values = new double[(int) Math.min(Conversions.CHUNK, runs.length())];
        do {
            int n;
            for (long done = 0; done < runs.length(); done += n) {
                n = (int) Math.min(values.length, runs.length() - done);
                uniforms(seed, runs.first() + done, values, n);
                distribution.apply(values, n);
                Conversions.fromDoubles(values, 0, tensor.segment(), tensor.dtype(), runs.offset(0) + done, n);
            }
        } while (runs.next());
        return tensor;
    }

    private static void uniforms(long seed, long first, double[] values, int n) {
        for (int i = 0; i < n; i++) {
            long bits = mix(seed + (first + i + 1) * GOLDEN);
            values[i] = ((bits >>> 12) + 0.5) * 0x1p-52;
        }
    }

    private static long mix(long bits) {
        long z = (bits ^ (bits >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return z ^ (z >>> 31);
    }

    /** AS 241, PPND16: relative accuracy about 1e-16. */
    static double inverseNormal(double p) {
        double q = p - 0.5;
        if (Math.abs(q) > CENTRE) {
            return tail(p, q);
        }
        double r = CENTRE * CENTRE - q * q;
        double above = 2.5090809287301226727e+3;
        above = above * r + 3.3430575583588128105e+4;
        above = above * r + 6.7265770927008700853e+4;
        above = above * r + 4.5921953931549871457e+4;
        above = above * r + 1.3731693765509461125e+4;
        above = above * r + 1.9715909503065514427e+3;
        above = above * r + 1.3314166789178437745e+2;
        above = above * r + 3.3871328727963666080e+0;
        double below = 5.2264952788528545610e+3;
        below = below * r + 2.8729085735721942674e+4;
        below = below * r + 3.9307895800092710610e+4;
        below = below * r + 2.1213794301586595867e+4;
        below = below * r + 5.3941960214247511077e+3;
        below = below * r + 6.8718700749205790830e+2;
        below = below * r + 4.2313330701600911252e+1;
        below = below * r + 1.0;
        return q * above / below;
    }

    private static double tail(double p, double q) {
        double r = Math.sqrt(-StrictMath.log(q < 0 ? p : 1 - p));
        double above;
        double below;
        if (r <= 5) {
            r -= 1.6;
            above = 7.74545014278341407640e-4;
            above = above * r + 2.27238449892691845833e-2;
            above = above * r + 2.41780725177450611770e-1;
            above = above * r + 1.27045825245236838258e+0;
            above = above * r + 3.64784832476320460504e+0;
            above = above * r + 5.76949722146069140550e+0;
            above = above * r + 4.63033784615654529590e+0;
            above = above * r + 1.42343711074968357734e+0;
            below = 1.05075007164441684324e-9;
            below = below * r + 5.47593808499534494600e-4;
            below = below * r + 1.51986665636164571966e-2;
            below = below * r + 1.48103976427480074590e-1;
            below = below * r + 6.89767334985100004550e-1;
            below = below * r + 1.67638483018380384940e+0;
            below = below * r + 2.05319162663775882187e+0;
        } else {
            r -= 5;
            above = 2.01033439929228813265e-7;
            above = above * r + 2.71155556874348757815e-5;
            above = above * r + 1.24266094738807843860e-3;
            above = above * r + 2.65321895265761230930e-2;
            above = above * r + 2.96560571828504891230e-1;
            above = above * r + 1.78482653991729133580e+0;
            above = above * r + 5.46378491116411436990e+0;
            above = above * r + 6.65790464350110377720e+0;
            below = 2.04426310338993978564e-15;
            below = below * r + 1.42151175831644588870e-7;
            below = below * r + 1.84631831751005468180e-5;
            below = below * r + 7.86869131145613259100e-4;
            below = below * r + 1.48753612908506148525e-2;
            below = below * r + 1.36929880922735805310e-1;
            below = below * r + 5.99832206555887937690e-1;
        }
        below = below * r + 1.0;
        double z = above / below;
        return q < 0 ? -z : z;
    }
}
