package dev.tandem.samples;

import dev.tandem.core.AllowedApi;
import dev.tandem.core.Check;
import dev.tandem.core.launch.RankContext;
import dev.tandem.core.launch.RankModules;
import dev.tandem.core.launch.RankProgram;
import dev.tandem.core.launch.Tandem;
import dev.tandem.core.npy.Npy;
import dev.tandem.core.tensor.Closeness;
import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.RandomTensors;
import dev.tandem.core.tensor.Tensor;
import dev.tandem.core.world.World;
import dev.tandem.kernels.FusedKernelsModule;
import dev.tandem.kernels.fused.AllGatherGemm;
import dev.tandem.kernels.fused.AllGatherGemmShape;
import dev.tandem.kernels.fused.FusedKernels;
import dev.tandem.kernels.fused.Tiling;
import dev.tandem.kernels.tile.KernelRuntime;
import dev.tandem.samples.golden.GemmGolden;
import dev.tandem.samples.harness.MatrixInput;
import dev.tandem.samples.harness.Verdicts;
import dev.tandem.shmem.SymmetricHeapModule;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Tutorial 01, AllGather-GEMM: each rank holds a shard A of M rows and its own B; each computes
 * {@code C = concat(A of all ranks) x own B} while the shards are still on their way.
 *
 * <p>Run it with {@code ./tandem run allgather-gemm --nproc-per-node 2}, or run this class in an IDE; add
 * {@code --mode inproc} to stop at breakpoints in the kernel
 * ({@link dev.tandem.kernels.fused.AllGatherGemm}).
 */
@Command(name = "allgather-gemm", description = "AllGather-GEMM: multiply shards of all ranks while they arrive")
@RankModules({SymmetricHeapModule.class, FusedKernelsModule.class})
public final class AllGatherGemmSample implements RankProgram {

    /** One rounding step of the type, relative: 1e-3 for fp16, eight times that for bf16, which has three bits less. */
    private static final Map<DType, String> TOLERANCE = Map.of(DType.F16, "1e-3", DType.F32, "1e-3", DType.BF16,
            "8e-3");

    @Option(names = "--m", paramLabel = "ROWS", description = "Rows of each rank's shard of A (default ${DEFAULT-VALUE}).")
    private int m = 4096;

    @Option(names = "--n", paramLabel = "COLS", description = "Columns of B (default ${DEFAULT-VALUE}).")
    private int n = 4096;

    @Option(names = "--k", paramLabel = "DEPTH", description = "Columns of A, rows of B (default ${DEFAULT-VALUE}).")
    private int k = 4096;

    @Option(names = "--dtype", paramLabel = "TYPE", description = "fp16, bf16 or fp32 (default ${DEFAULT-VALUE}).")
    private String dtype = "fp16";

    @Option(names = "--seed", paramLabel = "SEED", description = "Start of the random inputs; rank r draws from SEED + r (default ${DEFAULT-VALUE}).")
    private long seed = 42;

    @Option(names = "--iters", paramLabel = "COUNT", description = "Timed launches (default ${DEFAULT-VALUE}).")
    private int iterations = 1;

    @Option(names = "--warmup", paramLabel = "COUNT", description = "Launches before them (default ${DEFAULT-VALUE}).")
    private int warmups;

    @Option(names = "--block-m", paramLabel = "ROWS", description = "Rows of a tile of C (default: by shape).")
    private int blockM;

    @Option(names = "--block-n", paramLabel = "COLS", description = "Columns of a tile of C (default: by shape).")
    private int blockN;

    @Option(names = "--block-k", paramLabel = "DEPTH", description = "Depth of one tile product (default: by shape).")
    private int blockK;

    @Option(names = "--a", paramLabel = "FILE", description = "Read A from this .npy file; {rank} in the name stands for the rank.")
    private String fileA;

    @Option(names = "--b", paramLabel = "FILE", description = "Read B from this .npy file.")
    private String fileB;

    @Option(names = "--out", paramLabel = "FILE", description = "Write C to this .npy file.")
    private String fileC;

    @Option(names = "--plant-error", hidden = true, paramLabel = "RANK", description = "Spoil one element of this rank's result, to see that it is found.")
    private int plantErrorAt = -1;

    /** Creates the sample with its defaults. */
    public AllGatherGemmSample() {
    }

    /**
     * Starts the sample with its own ranks, or joins the job of the rank environment.
     *
     * @param args the options
     */
    @AllowedApi("a main method ends with its program's exit status")
    public static void main(String[] args) {
        System.exit(Tandem.main(AllGatherGemmSample.class, args));
    }

    @Override
    public void check(int ranks) {
        Check.positive(m, "--m");
        Check.positive(n, "--n");
        Check.positive(k, "--k");
        Check.positive(iterations, "--iters");
        Check.notNegative(warmups, "--warmup");
        MatrixInput.requireOnePerRank("--out", fileC, ranks);
        type();
        shape();
    }

    @Override
    public int run(RankContext rank) {
        World world = rank.world();
        rank.printInOrder("[INFO] Rank " + world.rank() + " of " + world.size() + " initialized");
        try (Arena arena = Arena.ofShared()) {
            long first = seed + world.rank();
            Tensor a = MatrixInput.load(fileA, world.rank(), type(), m, k, RandomTensors.seed(first, 0), arena);
            Tensor b = MatrixInput.load(fileB, world.rank(), type(), k, n, RandomTensors.seed(first, 1), arena);
            Tensor c = Tensor.allocate(arena, type(), (long) m * world.size(), n);
            c.fill(Double.NaN);
            multiply(rank, a, b, c);
            if (world.rank() == plantErrorAt) {
                c.setDouble(c.getDouble(m - 1, n - 1) + 1, m - 1, n - 1);
            }
            if (fileC != null) {
                Npy.write(MatrixInput.path(fileC, world.rank()), c);
            }
            Closeness.Report report = compareWithGolden(world, a, b, c, arena);
            String limits = "within tolerances (rtol=" + TOLERANCE.get(type()) + ", atol=1e-3)";
            return Verdicts.exchange(rank, report.close(), report.close()
                    ? "C_golden and C match " + limits + "."
                    : "C_golden and C do not match " + limits + ": " + report);
        }
    }

    private void multiply(RankContext rank, Tensor a, Tensor b, Tensor c) {
        AllGatherGemmShape shape = shape();
        World world = rank.world();
        FusedKernels kernels = rank.get(FusedKernels.class);
        rank.printInOrder(world.rank() > 0
                ? null
                : "[INFO] C[" + (long) m * world.size() + "," + n + "] = A[" + m + " a rank," + k + "] x B[" + k + ","
                        + n
                        + "] " + type() + ", " + shape.tiling() + ", " + rank.get(KernelRuntime.class).describe());
        long[] times = new long[iterations];
        try (AllGatherGemm gemm = kernels.allGatherGemm(shape)) {
            for (int launch = -warmups; launch < iterations; launch++) {
                world.group().barrier();
                long start = System.nanoTime();
                gemm.run(a, b, c).await();
                if (launch >= 0) {
                    times[launch] = System.nanoTime() - start;
                }
            }
        }
        Arrays.sort(times);
        double milliseconds = times[times.length / 2] / 1e6;
        double slowest = world.group()
                .allGather(Double.toString(milliseconds))
                .stream()
                .mapToDouble(Double::parseDouble)
                .max()
                .orElseThrow();
        rank.printInOrder(world.rank() > 0
                ? null
                : String.format(Locale.ROOT, "[INFO] %d launches, median %.1f ms (slowest rank), %.1f GFLOP/s a rank",
                        iterations, slowest, 2e-6 * m * world.size() * n * k / slowest));
    }

    private Closeness.Report compareWithGolden(World world, Tensor a, Tensor b, Tensor c, Arena arena) {
        Tensor all = GemmGolden.allGatherRows(world.group(), a, arena);
        Tensor golden = Tensor.allocate(arena, type(), c.size(0), n);
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / world.localSize());
        new GemmGolden(b, threads).multiply(all, golden);
        return Closeness.compare(c, golden, Double.parseDouble(TOLERANCE.get(type())), 1e-3);
    }

    private AllGatherGemmShape shape() {
        Tiling host = Tiling.host(m, n, k, type());
        return new AllGatherGemmShape(m, n, k, type(),
                new Tiling(blockM > 0 ? blockM : host.blockM(), blockN > 0 ? blockN : host.blockN(),
                        blockK > 0 ? blockK : host.blockK(), host.commRows(), host.commCols(), host.blocksPerWave(),
                        host.ringDepth()));
    }

    private DType type() {
        DType type = DType.of(dtype);
        Check.that(TOLERANCE.containsKey(type), "unsupported dtype: --dtype=" + dtype + "; use fp16, bf16 or fp32");
        return type;
    }
}
