package dev.tandem.kernels.internal.runtime;

import static dev.tandem.core.tensor.DType.BF16;
import static dev.tandem.core.tensor.DType.F16;
import static dev.tandem.core.tensor.DType.F32;

import dev.tandem.core.Check;
import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.MatrixView;
import dev.tandem.core.tensor.Tensor;
import dev.tandem.kernels.matrix.MatrixEngine;
import dev.tandem.kernels.tile.Core;
import dev.tandem.kernels.tile.Part;
import dev.tandem.kernels.tile.Target;
import dev.tandem.kernels.tile.Tile;
import dev.tandem.kernels.tile.View;
import dev.tandem.shmem.Comparison;
import dev.tandem.shmem.SignalArray;
import dev.tandem.shmem.SignalOp;
import dev.tandem.shmem.SymmetricTensor;
import dev.tandem.shmem.Token;
import java.util.function.Supplier;

/**
 * The language on the host: tiles are memory segments, arithmetic is the matrix engine and loops over rows, peers are the
 * symmetric heap. Waiting is the business of {@link PartWaits}.
 *
 * <p>Confined to the thread of its part; reused by one launch after another.
 */
final class HostCore implements Core, AutoCloseable {

    private final MatrixEngine engine;
    private final OnChipMemory memory;
    private final PartWaits waits;
    private final Elementwise elementwise = new Elementwise();
    private Placement placement;
    private long launch;

    /** Makes a core that computes with {@code engine} and may hold {@code onChipBytes} of tiles. */
    HostCore(MatrixEngine engine, long onChipBytes, PartWaits waits) {
        this.engine = engine;
        this.memory = new OnChipMemory(onChipBytes);
        this.waits = waits;
    }

    /** Becomes the given part of a new launch; tiles of the one before are dead. */
    void enter(Placement placed) {
        placement = placed;
        launch++;
        memory.reset();
    }

    // ---- Who

    @Override
    public int rank() {
        return placement.rank();
    }

    @Override
    public int ranks() {
        return placement.ranks();
    }

    @Override
    public int program() {
        return placement.program();
    }

    @Override
    public int programs() {
        return placement.programs();
    }

    @Override
    public Part part() {
        return placement.part();
    }

    // ---- Global memory

    @Override
    public View view(Tensor tensor) {
        return new HostView(Check.notNull(tensor, "tensor").matrix());
    }

    @Override
    public View view(MatrixView matrix) {
        return new HostView(Check.notNull(matrix, "matrix"));
    }

    @Override
    public Target target(Tensor tensor) {
        return new HostTarget(Check.notNull(tensor, "tensor").matrix());
    }

    @Override
    public Target target(MatrixView matrix) {
        return new HostTarget(Check.notNull(matrix, "matrix"));
    }

    @Override
    public View at(SymmetricTensor tensor, int rank, Token ready) {
        Check.notNull(ready, "ready");
        return new HostView(Check.notNull(tensor, "tensor").matrixAt(rank));
    }

    @Override
    public Target targetAt(SymmetricTensor tensor, int rank) {
        return new HostTarget(Check.notNull(tensor, "tensor").matrixAt(rank));
    }

    @Override
    public void copy(View from, Target to) {
        waits.checkRunning();
        MatrixView source = matrixOf(from);
        MatrixView target = matrixOf(to);
        require(source.rows() == target.rows() && source.cols() == target.cols(),
                () -> "sizes differ: from=" + size(source) + ", to=" + size(target) + "; copy equal blocks");
        require(source.dtype() == target.dtype(),
                () -> "types differ: from=" + source.dtype() + ", to=" + target.dtype()
                        + "; load and store to convert");
        Blocks.copy(source, target);
    }

    // ---- Tiles

    @Override
    public Tile load(View view, long row, long col, int rows, int cols) {
        waits.checkRunning();
        MatrixView matrix = matrixOf(view);
        requireSize(rows, cols);
        require(row >= 0 && row <= matrix.rows() && col >= 0 && col <= matrix.cols(),
                () -> outside("load", row, col, matrix));
        return HostTile.loaded(this, launch, memory.nextSerial(), Blocks.clip(matrix, row, col, rows, cols), rows,
                cols);
    }

    @Override
    public void store(Target target, long row, long col, Tile tile) {
        waits.checkRunning();
        MatrixView to = placeOf(target, row, col, tile, "store");
        MatrixView from = Blocks.clip(usable(tile, "tile").valid(), 0, 0, to.rows(), to.cols());
        if (from.dtype() == to.dtype()) {
            Blocks.copy(from, to);
            return;
        }
        require(isArithmetic(from.dtype()) && isArithmetic(to.dtype()), () -> "no conversion: from=" + from.dtype()
                + ", to=" + to.dtype() + "; store integers and fp64 into their own type");
        elementwise.convert(from, to);
    }

    @Override
    public void atomicAdd(Target target, long row, long col, Tile tile) {
        waits.checkRunning();
        MatrixView to = placeOf(target, row, col, tile, "atomic add");
        require(to.dtype() == F32, () -> "atomic add needs fp32: target=" + to.dtype() + "; accumulate in fp32");
        arithmetic(tile, "tile");
        elementwise.atomicAdd(Blocks.clip(usable(tile, "tile").valid(), 0, 0, to.rows(), to.cols()), to);
    }

    @Override
    public Tile zeros(int rows, int cols, DType dtype) {
        return allocate(rows, cols, dtype, rows, cols, true);
    }

    @Override
    public Tile full(int rows, int cols, DType dtype, double value) {
        require(isArithmetic(dtype), () -> "no tile of one value: dtype=" + dtype + "; use fp16, bf16 or fp32");
        return fill(allocate(rows, cols, dtype, rows, cols, false), value);
    }

    @Override
    public Tile fill(Tile into, double value) {
        HostTile tile = arithmetic(into, "into");
        require(tile.isOnChip(), () -> "into cannot take a result: " + tile + "; store to global memory instead");
        tile.setValid(tile.rows(), tile.cols());
        elementwise.fill(tile.memory(), value);
        return into;
    }

    @Override
    public Tile dot(Tile a, Tile b, Tile acc) {
        waits.checkRunning();
        require(part() == Part.CUBE,
                () -> "dot belongs to the cube: part=" + part() + "; call it where part() is CUBE");
        HostTile left = arithmetic(a, "a");
        HostTile right = arithmetic(b, "b");
        HostTile sum = result(acc, a.rows(), b.cols(), "acc");
        require(a.cols() == b.rows(), () -> "depths differ: a=" + nominal(a) + ", b=" + nominal(b)
                + "; load b with as many rows as a has columns");
        require(a.dtype() == b.dtype(),
                () -> "types differ: a=" + a.dtype() + ", b=" + b.dtype() + "; cast one of them");
        long depth = Math.min(left.validCols(), right.validRows());
        if (depth > 0 && left.validRows() > 0 && right.validCols() > 0) {
            sum.setValid(Math.max(sum.validRows(), left.validRows()), Math.max(sum.validCols(), right.validCols()));
            engine.multiply(Blocks.clip(left.valid(), 0, 0, left.validRows(), depth),
                    Blocks.clip(right.valid(), 0, 0, depth, right.validCols()),
                    Blocks.clip(sum.memory(), 0, 0, left.validRows(), right.validCols()), true);
        }
        return acc;
    }

    @Override
    public Tile add(Tile a, Tile b) {
        HostTile left = sameSize(a, b);
        return add(a, b, allocate(left.rows(), left.cols(), F32, 0, 0, true));
    }

    @Override
    public Tile add(Tile a, Tile b, Tile into) {
        HostTile left = sameSize(a, b);
        HostTile right = usable(b, "b");
        HostTile result = result(into, left.rows(), left.cols(), "into");
        long rows = Math.max(left.validRows(), right.validRows());
        long cols = Math.max(left.validCols(), right.validCols());
        elementwise.add(left.valid(), right.valid(), grown(result, rows, cols), rows, cols);
        return into;
    }

    @Override
    public Tile mul(Tile a, Tile b) {
        HostTile left = sameSize(a, b);
        return mul(a, b, allocate(left.rows(), left.cols(), F32, 0, 0, true));
    }

    @Override
    public Tile mul(Tile a, Tile b, Tile into) {
        HostTile left = sameSize(a, b);
        HostTile right = usable(b, "b");
        HostTile result = result(into, left.rows(), left.cols(), "into");
        long rows = Math.max(left.validRows(), right.validRows());
        long cols = Math.max(left.validCols(), right.validCols());
        elementwise.mul(left.valid(), right.valid(), grown(result, rows, cols), rows, cols);
        return into;
    }

    @Override
    public Tile scale(Tile a, float factor) {
        arithmetic(a, "a");
        return scale(a, factor, allocate(a.rows(), a.cols(), F32, 0, 0, true));
    }

    @Override
    public Tile scale(Tile a, float factor, Tile into) {
        HostTile source = arithmetic(a, "a");
        HostTile result = result(into, a.rows(), a.cols(), "into");
        elementwise.scale(source.valid(), factor, grown(result, source.validRows(), source.validCols()),
                source.validRows(), source.validCols());
        return into;
    }

    @Override
    public Tile cast(Tile a, DType dtype) {
        HostTile source = arithmetic(a, "a");
        require(isArithmetic(dtype), () -> "no conversion: to=" + dtype + "; use fp16, bf16 or fp32");
        boolean whole = source.validRows() == a.rows() && source.validCols() == a.cols();
        HostTile tile = allocate(a.rows(), a.cols(), dtype, source.validRows(), source.validCols(), !whole);
        elementwise.convert(source.valid(), tile.valid());
        return tile;
    }

    @Override
    public long mark() {
        return memory.mark();
    }

    @Override
    public void release(long mark) {
        memory.release(mark);
    }

    // ---- Peers

    @Override
    public Token wait(SignalArray signals, long slot, Comparison comparison, long value) {
        return waits.signal(Check.notNull(signals, "signals"), rank(), slot, comparison, value);
    }

    @Override
    public Token waitAt(SignalArray signals, int rank, long slot, Comparison comparison, long value) {
        return waits.signal(Check.notNull(signals, "signals"), rank, slot, comparison, value);
    }

    @Override
    public void notify(SignalArray signals, int peer, long slot, long value, SignalOp op) {
        Check.notNull(signals, "signals");
        switch (Check.notNull(op, "op")) {
            case SET -> signals.set(peer, slot, value);
            case ADD -> signals.add(peer, slot, value);
        }
    }

    @Override
    public void fence() {
        waits.heap().fence();
    }

    @Override
    public void quiet() {
        waits.heap().quiet();
    }

    @Override
    public Token barrierAll() {
        return waits.barrierAll();
    }

    @Override
    public void put(View from, SymmetricTensor to, int peer, long row, long col) {
        copy(from, blockAt(targetAt(to, peer), row, col, from));
    }

    @Override
    public void putSignal(View from, SymmetricTensor to, int peer, long row, long col, SignalArray signals, long slot,
            long value, SignalOp op) {
        put(from, to, peer, row, col);
        notify(signals, peer, slot, value, op);
    }

    @Override
    public void get(SymmetricTensor from, int peer, long row, long col, Token ready, Target to) {
        copy(at(from, peer, ready).block(row, col, to.rows(), to.cols()), to);
    }

    @Override
    public void close() {
        memory.close();
    }

    // ---- Checks

    /** Fails unless the tile is this core's and alive. */
    void requireUsable(Tile tile) {
        usable(tile, "tile");
    }

    private HostTile usable(Tile tile, String name) {
        require(tile instanceof HostTile, () -> name + " is not a tile of this runtime; pass what this core has made");
        HostTile host = (HostTile) tile;
        require(host.owner() == this && host.launch() == launch,
                () -> name + " is not this core's: " + host
                        + "; a tile stays with the part and the launch that made it");
        require(!memory.released(host.serial()),
                () -> name + " was released: " + host + "; use it before release(), or mark() after it was made");
        return host;
    }

    private HostTile arithmetic(Tile tile, String name) {
        HostTile host = usable(tile, name);
        require(isArithmetic(host.dtype()),
                () -> "no arithmetic on this type: " + name + "=" + host.dtype() + "; use fp16, bf16 or fp32");
        return host;
    }

    private HostTile sameSize(Tile a, Tile b) {
        HostTile left = arithmetic(a, "a");
        arithmetic(b, "b");
        require(a.rows() == b.rows() && a.cols() == b.cols(),
                () -> "sizes differ: a=" + nominal(a) + ", b=" + nominal(b) + "; use tiles of one size");
        return left;
    }

    private HostTile result(Tile tile, int rows, int cols, String name) {
        HostTile host = usable(tile, name);
        require(host.isOnChip() && host.dtype() == F32,
                () -> name + " cannot take a result: " + host + "; make it with zeros(rows, cols, F32)");
        require(host.rows() == rows && host.cols() == cols, () -> name + " has the wrong size: " + name + "="
                + nominal(host) + ", result=" + rows + "x" + cols + "; make it that size");
        return host;
    }

    /** Makes the valid part of a result what the result fills; what was valid beyond becomes zero. */
    private MatrixView grown(HostTile tile, long rows, long cols) {
        if (rows < tile.validRows() || cols < tile.validCols()) {
            elementwise.clearBeyond(tile.valid(), rows, cols);
        }
        tile.setValid(rows, cols);
        return tile.valid();
    }

    private HostTile allocate(int rows, int cols, DType dtype, long validRows, long validCols, boolean clear) {
        waits.checkRunning();
        requireSize(rows, cols);
        Check.notNull(dtype, "dtype");
        MatrixView block = new MatrixView(memory.allocate((long) rows * cols * dtype.bytes()), dtype, 0, rows, cols,
                cols);
        if (clear) {
            block.segment().fill((byte) 0);
        }
        return HostTile.onChip(this, launch, memory.nextSerial(), block, validRows, validCols);
    }

    private MatrixView placeOf(Target target, long row, long col, Tile tile, String what) {
        MatrixView to = matrixOf(target);
        HostTile host = usable(tile, "tile");
        require(row >= 0 && row <= to.rows() && col >= 0 && col <= to.cols(), () -> outside(what, row, col, to));
        return Blocks.clip(to, row, col, host.validRows(), host.validCols());
    }

    private Target blockAt(Target target, long row, long col, View from) {
        return target.block(row, col, Check.notNull(from, "from").rows(), from.cols());
    }

    private MatrixView matrixOf(View view) {
        require(view instanceof HostView, () -> "not a view of this runtime: " + view + "; use view() or at()");
        return ((HostView) view).matrix();
    }

    private MatrixView matrixOf(Target target) {
        require(target instanceof HostTarget,
                () -> "not a target of this runtime: " + target + "; use target() or targetAt()");
        return ((HostTarget) target).matrix();
    }

    private void requireSize(int rows, int cols) {
        require(rows > 0 && cols > 0,
                () -> "empty tile: rows=" + rows + ", cols=" + cols + "; a tile has at least one of each");
    }

    private void require(boolean holds, Supplier<String> message) {
        if (!holds) {
            throw placement.refusal(message.get());
        }
    }

    private static boolean isArithmetic(DType dtype) {
        return dtype == F32 || dtype == F16 || dtype == BF16;
    }

    private static String outside(String what, long row, long col, MatrixView matrix) {
        return what + " starts outside: row=" + row + ", col=" + col + ", matrix=" + size(matrix) + "; start it inside";
    }

    private static String size(MatrixView matrix) {
        return matrix.rows() + "x" + matrix.cols();
    }

    private static String nominal(Tile tile) {
        return tile.rows() + "x" + tile.cols();
    }
}
