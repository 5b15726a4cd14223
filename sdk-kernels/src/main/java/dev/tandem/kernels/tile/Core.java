package dev.tandem.kernels.tile;

import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.MatrixView;
import dev.tandem.core.tensor.Tensor;
import dev.tandem.shmem.Comparison;
import dev.tandem.shmem.SignalArray;
import dev.tandem.shmem.SignalOp;
import dev.tandem.shmem.SymmetricTensor;
import dev.tandem.shmem.Token;

/**
 * One part of one AI core, as the kernel that runs on it sees it: who it is, its memory, and its peers.
 *
 * <p>A core belongs to the thread that runs the part; no other thread may use it. Wrong calls fail with a
 * {@link dev.tandem.core.UsageException} that names the kernel, the rank and the program, and bring the job down, as every
 * exception that leaves a kernel does.
 *
 * <p><b>Values.</b> Arithmetic is done in fp32 whatever the operands are, on fp16, bf16 and fp32. A result is rounded once,
 * where it is stored or cast. Values outside the valid part of a tile count as zero.
 *
 * <p><b>On-chip memory</b> is a stack: results are allocated on it, {@link #mark()} notes its height and
 * {@link #release(long)} frees all that was made since. Nothing else frees it, so a loop that makes tiles marks and
 * releases in each turn.
 *
 * <p><b>Memory order.</b> What a core wrote before {@link #notify}, {@link #putSignal} or {@link #barrierAll()} is seen by
 * whoever passed the wait or barrier that this satisfied, and proves it with the {@link Token} it got. Nothing else orders
 * the accesses of two cores.
 */
public interface Core {

    // ---- Who

    /**
     * Says which rank this core belongs to.
     *
     * @return 0 to {@code ranks() - 1}
     */
    int rank();

    /**
     * Says how many ranks run the kernel.
     *
     * @return at least 1
     */
    int ranks();

    /**
     * Says which program of the launch this is.
     *
     * @return 0 to {@code programs() - 1}
     */
    int program();

    /**
     * Says how many programs the launch has on this rank.
     *
     * @return at least 1
     */
    int programs();

    /**
     * Says which half of the core this is.
     *
     * @return the part
     */
    Part part();

    // ---- Global memory

    /**
     * Gives a tensor of this rank to read. Nobody writes it while the kernel runs.
     *
     * @param tensor a matrix, or a vector as one row
     * @return its view
     */
    View view(Tensor tensor);

    /**
     * Gives a matrix of this rank to read. Nobody writes it while the kernel runs.
     *
     * @param matrix the matrix
     * @return its view
     */
    View view(MatrixView matrix);

    /**
     * Gives a tensor of this rank to write.
     *
     * @param tensor a matrix, or a vector as one row
     * @return its target
     */
    Target target(Tensor tensor);

    /**
     * Gives a matrix of this rank to write.
     *
     * @param matrix the matrix
     * @return its target
     */
    Target target(MatrixView matrix);

    /**
     * Gives a rank's copy of a symmetric tensor to read ({@code symm_at}). Reading memory that others write takes the token
     * of the wait or barrier that proved it ready.
     *
     * @param tensor the tensor; one of more than two dimensions is a matrix of all its last-dimension rows
     * @param rank whose copy, this rank's own among them
     * @param ready proof that what will be read has been written
     * @return its view
     */
    View at(SymmetricTensor tensor, int rank, Token ready);

    /**
     * Gives a rank's copy of a symmetric tensor to write ({@code symm_at}).
     *
     * @param tensor the tensor; one of more than two dimensions is a matrix of all its last-dimension rows
     * @param rank whose copy, this rank's own among them
     * @return its target
     */
    Target targetAt(SymmetricTensor tensor, int rank);

    /**
     * Copies a block of memory into an equally large one of the same type; either may be a peer's. The fast way to move
     * data that needs no arithmetic.
     *
     * @param from what to read
     * @param to where to write; {@code rows}, {@code cols} and {@code dtype} as {@code from}
     */
    void copy(View from, Target to);

    // ---- Tiles

    /**
     * Loads a tile. Copies nothing; where the view ends inside the tile, the tile's valid part ends too.
     *
     * @param view what to read
     * @param row first row, 0 to {@code view.rows()}
     * @param col first column, 0 to {@code view.cols()}
     * @param rows nominal height, at least 1
     * @param cols nominal width, at least 1
     * @return the tile, in the view's type
     */
    Tile load(View view, long row, long col, int rows, int cols);

    /**
     * Stores a tile's valid part, or as much of it as lies inside the target, converting to the target's type with one
     * rounding (to nearest, ties to even).
     *
     * @param target where to write
     * @param row row of the target for the tile's first row, 0 to {@code target.rows()}
     * @param col column of the target for the tile's first column, 0 to {@code target.cols()}
     * @param tile what to store
     */
    void store(Target target, long row, long col, Tile tile);

    /**
     * Adds a tile's valid part, or as much of it as lies inside the target, to the target, each element atomically with
     * respect to other atomic adds. The order in which cores add is open, and with it the last bits of the sum.
     *
     * @param target an fp32 target
     * @param row row of the target for the tile's first row, 0 to {@code target.rows()}
     * @param col column of the target for the tile's first column, 0 to {@code target.cols()}
     * @param tile what to add
     */
    void atomicAdd(Target target, long row, long col, Tile tile);

    /**
     * Makes an on-chip tile of zeros.
     *
     * @param rows height, at least 1
     * @param cols width, at least 1
     * @param dtype the type
     * @return a tile that is valid throughout
     */
    Tile zeros(int rows, int cols, DType dtype);

    /**
     * Makes an on-chip tile of one value.
     *
     * @param rows height, at least 1
     * @param cols width, at least 1
     * @param dtype fp16, bf16 or fp32
     * @param value the value, rounded to the type
     * @return a tile that is valid throughout
     */
    Tile full(int rows, int cols, DType dtype, double value);

    /**
     * Sets every value of an on-chip tile; it is valid throughout then.
     *
     * @param into an on-chip tile of fp16, bf16 or fp32
     * @param value the value, rounded to the tile's type
     * @return {@code into}
     */
    Tile fill(Tile into, double value);

    /**
     * Multiplies and accumulates: {@code acc += a x b}. CUBE parts only.
     *
     * @param a fp16, bf16 or fp32
     * @param b of the same type; {@code b.rows() == a.cols()}
     * @param acc an on-chip fp32 tile of {@code a.rows()} by {@code b.cols()}, changed in place
     * @return {@code acc}
     */
    Tile dot(Tile a, Tile b, Tile acc);

    /**
     * Adds element by element.
     *
     * @param a a tile
     * @param b a tile of the same nominal size
     * @return a new fp32 tile
     */
    Tile add(Tile a, Tile b);

    /**
     * Adds element by element into a tile that exists.
     *
     * @param a a tile
     * @param b a tile of the same nominal size
     * @param into an on-chip fp32 tile of that size, which may be {@code a} or {@code b}
     * @return {@code into}
     */
    Tile add(Tile a, Tile b, Tile into);

    /**
     * Multiplies element by element.
     *
     * @param a a tile
     * @param b a tile of the same nominal size
     * @return a new fp32 tile
     */
    Tile mul(Tile a, Tile b);

    /**
     * Multiplies element by element into a tile that exists.
     *
     * @param a a tile
     * @param b a tile of the same nominal size
     * @param into an on-chip fp32 tile of that size, which may be {@code a} or {@code b}
     * @return {@code into}
     */
    Tile mul(Tile a, Tile b, Tile into);

    /**
     * Multiplies every element by one factor.
     *
     * @param a a tile
     * @param factor the factor
     * @return a new fp32 tile
     */
    Tile scale(Tile a, float factor);

    /**
     * Multiplies every element by one factor into a tile that exists.
     *
     * @param a a tile
     * @param factor the factor
     * @param into an on-chip fp32 tile of the same nominal size, which may be {@code a}
     * @return {@code into}
     */
    Tile scale(Tile a, float factor, Tile into);

    /**
     * Converts a tile, rounding once where the type is narrower.
     *
     * @param a fp16, bf16 or fp32
     * @param dtype fp16, bf16 or fp32
     * @return a new tile of that type
     */
    Tile cast(Tile a, DType dtype);

    /**
     * Notes the height of the on-chip stack.
     *
     * @return a mark for {@link #release(long)}
     */
    long mark();

    /**
     * Frees every tile made since a mark, loaded or computed. Using one of them afterwards is an error. The same mark may be
     * released again after more tiles were made.
     *
     * @param mark from {@link #mark()}, not itself released by an earlier mark
     */
    void release(long mark);

    // ---- Peers

    /**
     * Waits for a signal of this rank. Other parts work meanwhile.
     *
     * @param signals the signals
     * @param slot which, see {@link SignalArray#slot}
     * @param comparison how the signal's value compares to {@code value} when the wait ends
     * @param value the value wanted
     * @return proof that everything written before the signal was set is visible
     */
    Token wait(SignalArray signals, long slot, Comparison comparison, long value);

    /**
     * Waits for a signal as another rank has it (remote polling).
     *
     * @param signals the signals
     * @param rank whose copy to look at
     * @param slot which, see {@link SignalArray#slot}
     * @param comparison how the signal's value compares to {@code value} when the wait ends
     * @param value the value wanted
     * @return proof that everything written before the signal was set is visible
     */
    Token waitAt(SignalArray signals, int rank, long slot, Comparison comparison, long value);

    /**
     * Changes a signal of a rank after everything that this core wrote before (a release).
     *
     * @param signals the signals
     * @param peer whose copy to change, perhaps this rank's own
     * @param slot which, see {@link SignalArray#slot}
     * @param value the operand
     * @param op set, or add atomically
     */
    void notify(SignalArray signals, int peer, long slot, long value, SignalOp op);

    /** Orders this core's earlier writes to each rank before its later ones. */
    void fence();

    /** Returns when this core's earlier writes to all ranks have arrived. */
    void quiet();

    /**
     * Collective. Waits for all parts of all programs of all ranks. Other parts work meanwhile.
     *
     * @return proof that everything that any core wrote before its barrier is visible
     */
    Token barrierAll();

    /**
     * Writes a block into a rank's copy of a symmetric tensor, by whatever way the transport has; complete for others after
     * {@link #notify} or {@link #barrierAll()}.
     *
     * @param from what to send
     * @param to the tensor, of the same type
     * @param peer whose copy to write
     * @param row first row of {@code to} written
     * @param col first column of {@code to} written
     */
    void put(View from, SymmetricTensor to, int peer, long row, long col);

    /**
     * Writes a block into a rank's copy of a symmetric tensor, then changes a signal there.
     *
     * @param from what to send
     * @param to the tensor, of the same type
     * @param peer whose copy and whose signal
     * @param row first row of {@code to} written
     * @param col first column of {@code to} written
     * @param signals the signals
     * @param slot which, see {@link SignalArray#slot}
     * @param value the operand
     * @param op set, or add atomically
     */
    void putSignal(View from, SymmetricTensor to, int peer, long row, long col, SignalArray signals, long slot,
            long value, SignalOp op);

    /**
     * Reads a block of a rank's copy of a symmetric tensor, by whatever way the transport has.
     *
     * @param from the tensor
     * @param peer whose copy to read
     * @param row first row of {@code from} read
     * @param col first column of {@code from} read
     * @param ready proof that what is read has been written
     * @param to where it goes; of the same type
     */
    void get(SymmetricTensor from, int peer, long row, long col, Token ready, Target to);
}
