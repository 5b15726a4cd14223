package dev.tandem.kernels.internal.matrix;

import static org.bytedeco.dnnl.global.dnnl.dnnl_cpu;
import static org.bytedeco.dnnl.global.dnnl.dnnl_engine_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_engine_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_sgemm;

import dev.tandem.core.Check;
import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.MatrixView;
import dev.tandem.kernels.matrix.MatrixEngine;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.bytedeco.dnnl.dnnl_engine;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;

/**
 * oneDNN through JavaCPP. fp32 goes to its sgemm; bf16 to a matmul primitive with fp32 sums; fp16 is widened to fp32
 * first, which is exact and, on a processor without fp16 matrix instructions, the fastest way that oneDNN leaves.
 *
 * <p>Every thread that multiplies gets a worker of its own (pointers, widening buffers, primitives), so that calls share
 * nothing and the steady path allocates nothing.
 */
public final class OneDnnMatrixEngine implements MatrixEngine {

    private static final byte AS_IS = 'N';

    private final OneDnn library;
    private final dnnl_engine engine = new dnnl_engine();
    private final Queue<Worker> workers = new ConcurrentLinkedQueue<>();
    private final ThreadLocal<Worker> worker = ThreadLocal.withInitial(this::newWorker);
    private volatile boolean closed;

    private OneDnnMatrixEngine(OneDnn library) {
        this.library = library;
        status(dnnl_engine_create(engine, dnnl_cpu, 0), "engine");
    }

    /**
     * Opens the engine.
     *
     * @param environment the process's variables: TANDEM_CACHE says where natives are kept
     * @return the engine
     * @throws dev.tandem.core.SetupException with the reason if oneDNN cannot be had on this machine
     */
    public static OneDnnMatrixEngine open(Map<String, String> environment) {
        Path cache = NativeLibraries.defaultCacheRoot(environment);
        return new OneDnnMatrixEngine(OneDnn.load(cache));
    }

    @Override
    public void multiply(MatrixView a, MatrixView b, MatrixView c, boolean accumulate) {
        Check.that(!closed, "matrix engine is closed; multiply before closing it");
        if (!Operands.check(a, b, c)) {
            if (!accumulate) {
                Operands.clear(c);
            }
            return;
        }
        Worker mine = worker.get();
        switch (a.dtype()) {
            case BF16 -> mine.matmuls.multiply(a, b, c, accumulate);
            case F16 -> mine.multiplyFloats(mine.left.widen(a), mine.right.widen(b), c, accumulate);
            default -> mine.multiplyFloats(a, b, c, accumulate);
        }
    }

    @Override
    public String describe() {
        return library.description() + ", fp16 as fp32";
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            workers.forEach(Worker::close);
            dnnl_engine_destroy(engine);
        }
    }

    private Worker newWorker() {
        library.useCallersThreadOnly();
        Worker made = new Worker(engine);
        workers.add(made);
        return made;
    }

    /** Refuses a status other than success; only a defect of ours or of oneDNN brings one. */
    static void status(int status, String what) {
        if (status != 0) {
            throw new IllegalStateException("oneDNN refused: operation=" + what + ", status=" + status);
        }
    }

    /** What one thread multiplies with. */
    private static final class Worker {

        private final FloatAddress a = new FloatAddress();
        private final FloatAddress b = new FloatAddress();
        private final FloatAddress c = new FloatAddress();
        private final WideningBuffer left = new WideningBuffer();
        private final WideningBuffer right = new WideningBuffer();
        private final MatmulCache matmuls;

        private Worker(dnnl_engine engine) {
            matmuls = new MatmulCache(engine);
        }

        private void multiplyFloats(MatrixView left, MatrixView right, MatrixView product, boolean accumulate) {
            status(dnnl_sgemm(AS_IS, AS_IS, product.rows(), product.cols(), left.cols(), 1f, a.at(left),
                    left.rowStride(),
                    b.at(right), right.rowStride(), accumulate ? 1f : 0f, c.at(product), product.rowStride()), "sgemm");
        }

        private void close() {
            left.close();
            right.close();
            matmuls.close();
        }
    }

    /** A pointer that is moved from view to view, so that none is allocated a call. */
    private static final class FloatAddress extends FloatPointer {

        private FloatAddress() {
            super((Pointer) null);
        }

        private FloatAddress at(MatrixView view) {
            address = view.segment().address() + view.byteOffset(0, 0);
            return this;
        }
    }

    /** Native memory for one widened operand; grows, never shrinks. */
    private static final class WideningBuffer {

        private Arena arena = Arena.ofShared();
        private MemorySegment memory = MemorySegment.NULL;
        private float[] row = {};

        private MatrixView widen(MatrixView narrow) {
            int cols = (int) narrow.cols();
            long bytes = narrow.rows() * cols * DType.F32.bytes();
            if (memory.byteSize() < bytes) {
                arena.close();
                arena = Arena.ofShared();
                memory = arena.allocate(bytes, 64);
            }
            if (row.length < cols) {
                row = new float[cols];
            }
            for (long r = 0; r < narrow.rows(); r++) {
                Widening.readRow(narrow, r, row);
                MemorySegment.copy(row, 0, memory, ValueLayout.JAVA_FLOAT, r * cols * DType.F32.bytes(), cols);
            }
            return new MatrixView(memory, DType.F32, 0, narrow.rows(), cols, cols);
        }

        private void close() {
            arena.close();
        }
    }
}
