package dev.tandem.kernels.internal.matrix;

import static dev.tandem.kernels.internal.matrix.OneDnnMatrixEngine.status;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_WEIGHTS;
import static org.bytedeco.dnnl.global.dnnl.dnnl_bf16;
import static org.bytedeco.dnnl.global.dnnl.dnnl_data_type_undef;
import static org.bytedeco.dnnl.global.dnnl.dnnl_f32;
import static org.bytedeco.dnnl.global.dnnl.dnnl_matmul_primitive_desc_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_desc_create_with_strides;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_desc_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_set_data_handle;
import static org.bytedeco.dnnl.global.dnnl.dnnl_post_ops_append_sum;
import static org.bytedeco.dnnl.global.dnnl.dnnl_post_ops_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_post_ops_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_attr_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_attr_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_attr_set_post_ops;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_desc_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_execute;
import static org.bytedeco.dnnl.global.dnnl.dnnl_stream_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_stream_default_flags;
import static org.bytedeco.dnnl.global.dnnl.dnnl_stream_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_stream_wait;

import dev.tandem.core.tensor.MatrixView;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.dnnl.dnnl_engine;
import org.bytedeco.dnnl.dnnl_exec_arg_t;
import org.bytedeco.dnnl.dnnl_memory;
import org.bytedeco.dnnl.dnnl_memory_desc;
import org.bytedeco.dnnl.dnnl_post_ops;
import org.bytedeco.dnnl.dnnl_primitive;
import org.bytedeco.dnnl.dnnl_primitive_attr;
import org.bytedeco.dnnl.dnnl_primitive_desc;
import org.bytedeco.dnnl.dnnl_stream;
import org.bytedeco.javacpp.Pointer;

/** The bf16 matmul primitives of one thread, by shape; the least used goes when there are too many. */
final class MatmulCache {

    private static final int CAPACITY = 64;

    private final dnnl_engine engine;
    private final dnnl_stream stream = new dnnl_stream();
    private final LinkedHashMap<Shape, Matmul> matmuls = new LinkedHashMap<>(CAPACITY, 0.75f, true) {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Shape, Matmul> eldest) {
            if (size() <= CAPACITY) {
                return false;
            }
            eldest.getValue().close();
            return true;
        }
    };

    /** Makes an empty cache. */
    MatmulCache(dnnl_engine engine) {
        this.engine = engine;
        status(dnnl_stream_create(stream, engine, dnnl_stream_default_flags), "stream");
    }

    /** Multiplies bf16 into fp32. */
    void multiply(MatrixView a, MatrixView b, MatrixView c, boolean accumulate) {
        Shape shape = new Shape(c.rows(), c.cols(), a.cols(), a.rowStride(), b.rowStride(), c.rowStride(), accumulate);
        matmuls.computeIfAbsent(shape, s -> new Matmul(engine, s)).execute(stream, a, b, c);
    }

    /** Frees all primitives. */
    void close() {
        matmuls.values().forEach(Matmul::close);
        matmuls.clear();
        dnnl_stream_destroy(stream);
    }

    private record Shape(long m, long n, long k, long strideA, long strideB, long strideC, boolean accumulate) {
    }

    private static final class Matmul {

        private final dnnl_primitive primitive = new dnnl_primitive();
        private final Operand a;
        private final Operand b;
        private final Operand c;
        private final dnnl_exec_arg_t arguments = new dnnl_exec_arg_t(3);

        private Matmul(dnnl_engine engine, Shape shape) {
            a = new Operand(engine, dnnl_bf16, shape.m, shape.k, shape.strideA);
            b = new Operand(engine, dnnl_bf16, shape.k, shape.n, shape.strideB);
            c = new Operand(engine, dnnl_f32, shape.m, shape.n, shape.strideC);
            dnnl_primitive_attr attributes = new dnnl_primitive_attr();
            status(dnnl_primitive_attr_create(attributes), "attributes");
            if (shape.accumulate) {
                dnnl_post_ops sum = new dnnl_post_ops();
                status(dnnl_post_ops_create(sum), "post-op");
                status(dnnl_post_ops_append_sum(sum, 1f, 0, dnnl_data_type_undef), "sum");
                status(dnnl_primitive_attr_set_post_ops(attributes, sum), "post-op");
                dnnl_post_ops_destroy(sum);
            }
            dnnl_primitive_desc description = new dnnl_primitive_desc();
            status(dnnl_matmul_primitive_desc_create(description, engine, a.description, b.description, null,
                    c.description,
                    attributes), "matmul of " + shape);
            status(dnnl_primitive_create(primitive, description), "matmul of " + shape);
            dnnl_primitive_desc_destroy(description);
            dnnl_primitive_attr_destroy(attributes);
            arguments.position(0).arg(DNNL_ARG_SRC).memory(a.memory);
            arguments.position(1).arg(DNNL_ARG_WEIGHTS).memory(b.memory);
            arguments.position(2).arg(DNNL_ARG_DST).memory(c.memory);
            arguments.position(0);
        }

        private void execute(dnnl_stream stream, MatrixView left, MatrixView right, MatrixView product) {
            a.pointTo(left);
            b.pointTo(right);
            c.pointTo(product);
            status(dnnl_primitive_execute(primitive, stream, 3, arguments), "matmul");
            status(dnnl_stream_wait(stream), "matmul");
        }

        private void close() {
            dnnl_primitive_destroy(primitive);
            arguments.close();
            a.close();
            b.close();
            c.close();
        }
    }

    private static final class Operand extends Pointer {

        private final dnnl_memory_desc description = new dnnl_memory_desc();
        private final dnnl_memory memory = new dnnl_memory();

        private Operand(dnnl_engine engine, int type, long rows, long cols, long rowStride) {
            super((Pointer) null);
            status(dnnl_memory_desc_create_with_strides(description, 2, new long[]{rows, cols}, type,
                    new long[]{Math.max(rowStride, cols), 1}), "description");
            status(dnnl_memory_create(memory, description, engine, null), "memory");
        }

        private void pointTo(MatrixView view) {
            address = view.segment().address() + view.byteOffset(0, 0);
            status(dnnl_memory_set_data_handle(memory, this), "data handle");
        }

        @Override
        public void close() {
            dnnl_memory_destroy(memory);
            dnnl_memory_desc_destroy(description);
        }
    }
}
