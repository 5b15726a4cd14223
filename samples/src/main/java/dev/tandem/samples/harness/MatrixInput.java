package dev.tandem.samples.harness;

import dev.tandem.core.UsageException;
import dev.tandem.core.npy.Npy;
import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.RandomTensors;
import dev.tandem.core.tensor.Tensor;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/** Where a sample's matrices come from and go to: seeded random values, or one {@code .npy} file a rank. */
public final class MatrixInput {

    /** What stands for the rank in a file name. */
    public static final String RANK = "{rank}";

    private MatrixInput() {
    }

    /**
     * Reads a rank's matrix, or draws it.
     *
     * @param pattern the file's name, in which {@code {rank}} stands for the rank; null to draw
     * @param rank whose matrix
     * @param dtype the element type wanted
     * @param rows rows wanted
     * @param cols columns wanted
     * @param seed start of the random sequence if the matrix is drawn: standard normal values
     * @param arena where the matrix lives
     * @return the matrix, contiguous
     */
    public static Tensor load(String pattern, int rank, DType dtype, long rows, long cols, long seed,
            Arena arena) {
        Tensor matrix = Tensor.allocate(arena, dtype, rows, cols);
        return pattern == null ? RandomTensors.normal(matrix, seed) : Npy.readInto(path(pattern, rank), matrix);
    }

    /**
     * Names a rank's file.
     *
     * @param pattern the name, in which {@code {rank}} stands for the rank
     * @param rank the rank
     * @return its file
     */
    public static Path path(String pattern, int rank) {
        return Path.of(pattern.replace(RANK, Integer.toString(rank)));
    }

    /**
     * Requires that the ranks' files differ where several ranks write.
     *
     * @param option the option that named the file
     * @param pattern the file's name or null
     * @param ranks number of ranks
     */
    public static void requireOnePerRank(String option, String pattern, int ranks) {
        if (pattern != null && ranks > 1 && !pattern.contains(RANK)) {
            throw new UsageException("one file for all ranks: " + option + "=" + pattern + ", ranks=" + ranks
                    + "; put {rank} into the name");
        }
    }
}
