package dev.tandem.kernels.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.TandemException;
import dev.tandem.core.UsageException;
import dev.tandem.core.device.Event;
import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.Tensor;
import dev.tandem.kernels.testing.Ranks;
import dev.tandem.kernels.testing.Ranks.Rank;
import dev.tandem.kernels.tile.Core;
import dev.tandem.kernels.tile.Grid;
import dev.tandem.kernels.tile.Kernel;
import dev.tandem.kernels.tile.KernelFunction;
import dev.tandem.kernels.tile.Part;
import dev.tandem.kernels.tile.Tile;
import dev.tandem.shmem.Comparison;
import dev.tandem.shmem.SignalArray;
import dev.tandem.shmem.SignalOp;
import dev.tandem.shmem.SymmetricTensor;
import dev.tandem.shmem.Token;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class HostKernelRuntimeTest {

    private static <A> Event launch(Rank rank, Grid grid, KernelFunction<A> kernel, A args) {
        return rank.runtime().launch(rank.stream(), "test", grid, kernel, args);
    }

    // ---- Launches

    @Test
    void everyPartOfEveryProgramRunsOnceOnAThreadThatSaysSo() throws Exception {
        Ranks.of(1).run(rank -> {
            for (Grid grid : List.of(Grid.mixed(3), Grid.cube(5), Grid.vector(1), Grid.mixed(7))) {
                Set<String> names = ConcurrentHashMap.newKeySet();
                AtomicInteger runs = new AtomicInteger();
                launch(rank, grid, (core, args) -> {
                    runs.incrementAndGet();
                    names.add(Thread.currentThread().getName());
                    assertThat(Thread.currentThread().isDaemon()).isTrue();
                    assertThat(Thread.currentThread().getName()).isEqualTo(
                            "rank 0 kernel test program " + core.program() + " " + core.part());
                    assertThat(core.programs()).isEqualTo(grid.programs());
                    assertThat(core.part() == Part.CUBE ? grid.cube() : grid.vector()).isTrue();
                }, null).await();
                assertThat(runs.get()).isEqualTo(grid.parts());
                assertThat(names).hasSize(grid.parts());
            }
        });
    }

    @Test
    void threadsAreKeptFromLaunchToLaunch() throws Exception {
        Ranks.of(1).run(rank -> {
            Set<Thread> threads = ConcurrentHashMap.newKeySet();
            for (int i = 0; i < 50; i++) {
                rank.runtime()
                        .launch(rank.stream(), "kernel" + i % 3, Grid.mixed(4),
                                (Core core, Object args) -> threads.add(Thread.currentThread()), null)
                        .await();
            }
            assertThat(threads).hasSize(8);
        });
    }

    @Test
    void launchesAreAsynchronousAndOrderedAndSeeWhatWasWrittenBefore() throws Exception {
        Ranks.of(1).run(rank -> {
            try (Arena arena = Arena.ofShared()) {
                Tensor values = Tensor.allocate(arena, DType.F32, 64, 64).fill(1);
                Event last = null;
                for (int i = 0; i < 10; i++) {
                    last = launch(rank, Grid.vector(4), HostKernelRuntimeTest::doubleRows, values);
                }
                last.await();
                assertThat(values.getDouble(63, 63)).isEqualTo(1024);
                assertThat(values.getDouble(0, 0)).isEqualTo(1024);
            }
        });
    }

    @Kernel
    private static void doubleRows(Core core, Tensor values) {
        for (int row = core.program(); row < 64; row += core.programs()) {
            long mark = core.mark();
            Tile tile = core.load(core.view(values), row, 0, 1, 64);
            core.store(core.target(values), row, 0, core.add(tile, tile));
            core.release(mark);
        }
    }

    @Test
    void nothingIsLaunchedWithoutItsArguments() throws Exception {
        Ranks.of(1).run(rank -> {
            assertThatThrownBy(() -> launch(rank, null, (core, args) -> {
            }, null)).isInstanceOf(UsageException.class).hasMessageContaining("grid is null");
            assertThatThrownBy(() -> Grid.mixed(0)).isInstanceOf(UsageException.class)
                    .hasMessageContaining("programs=0");
            assertThatThrownBy(() -> Grid.cube(5000)).isInstanceOf(UsageException.class)
                    .hasMessageContaining("programs=5000, limit=4096");
            rank.runtime().close();
            rank.runtime().close();
            assertThatThrownBy(() -> launch(rank, Grid.cube(1), (core, args) -> {
            }, null)).isInstanceOf(UsageException.class).hasMessageContaining("kernel runtime is closed");
        });
    }

    // ---- Waiting

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Tag("dist")
    void fortyPartsOnOneProcessorPassAChainOfSignalsAndBarriers(int ranks) throws Exception {
        int rounds = 6;
        Ranks.of(ranks).run(rank -> {
            SignalArray signals = rank.heap().createSignals("chain", List.of("part"), 41);
            for (int relaunch = 0; relaunch < 3; relaunch++) {
                long epoch = (long) relaunch * rounds;
                launch(rank, Grid.mixed(20), (core, args) -> chain(core, signals, epoch, rounds), null).await();
            }
            assertThat(signals.read(signals.slot(0))).isEqualTo(3L * rounds);
        });
    }

    /** Part i waits for part i + 1 of the next rank; the last one starts each round. */
    @Kernel
    private static void chain(Core core, SignalArray signals, long epoch, int rounds) {
        int me = 2 * core.program() + core.part().ordinal();
        int before = (core.rank() + core.ranks() - 1) % core.ranks();
        for (int round = 1; round <= rounds; round++) {
            if (me < 39) {
                core.wait(signals, signals.slot(me + 1), Comparison.AT_LEAST, epoch + round);
            }
            core.notify(signals, before, signals.slot(me), epoch + round, SignalOp.SET);
            core.barrierAll();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    @Tag("dist")
    void whatWasWrittenBeforeABarrierIsSeenAfterIt(int ranks) throws Exception {
        Ranks.of(ranks).run(rank -> {
            SymmetricTensor board = rank.heap().createTensor("board", DType.F32, ranks * 8L, 16);
            AtomicInteger wrong = new AtomicInteger();
            launch(rank, Grid.mixed(4), (core, args) -> {
                int me = core.rank() * 8 + 2 * core.program() + core.part().ordinal();
                for (int round = 1; round <= 50; round++) {
                    for (int peer = 0; peer < core.ranks(); peer++) {
                        long mark = core.mark();
                        core.store(core.targetAt(board, peer), me, 0, core.full(1, 16, DType.F32, 1000 * round + me));
                        core.release(mark);
                    }
                    Token all = core.barrierAll();
                    Tile seen = core.load(core.at(board, core.rank(), all), 0, 0, 8 * core.ranks(), 16);
                    for (int r = 0; r < 8 * core.ranks(); r++) {
                        if (seen.get(r, round % 16) != 1000 * round + r) {
                            wrong.incrementAndGet();
                        }
                    }
                    core.barrierAll();
                }
            }, null).await();
            assertThat(wrong.get()).isZero();
        });
    }

    @Test
    @Tag("dist")
    void blocksTravelWithTheirSignalsAndAreFetched() throws Exception {
        Ranks.of(2).run(rank -> {
            SymmetricTensor box = rank.heap().createTensor("box", DType.F16, 8, 8);
            SignalArray arrived = rank.heap().createSignals("arrived", List.of("slot"), 1);
            try (Arena arena = Arena.ofShared()) {
                Tensor mine = Tensor.allocate(arena, DType.F16, 4, 4).fill(rank.index() + 1);
                Tensor back = Tensor.allocate(arena, DType.F16, 4, 4).fill(Double.NaN);
                launch(rank, Grid.vector(1), (core, args) -> {
                    int peer = 1 - core.rank();
                    core.putSignal(core.view(mine), box, peer, 2, 3, arrived, 0, 1, SignalOp.ADD);
                    Token ready = core.wait(arrived, 0, Comparison.EQUAL, 1);
                    Token there = core.waitAt(arrived, peer, 0, Comparison.AT_LEAST, 1);
                    core.fence();
                    core.quiet();
                    if (core.load(core.at(box, core.rank(), ready), 2, 3, 4, 4).get(3, 3) == peer + 1) {
                        core.get(box, peer, 2, 3, there, core.target(back));
                    }
                }, null).await();
                assertThat(back.getDouble(0, 0)).isEqualTo(rank.index() + 1);
                assertThat(back.getDouble(3, 3)).isEqualTo(rank.index() + 1);
            }
        });
    }

    @Test
    void atomicAddsOfAllPartsAreAllCounted() throws Exception {
        Ranks.of(1).processors(2).run(rank -> {
            try (Arena arena = Arena.ofShared()) {
                Tensor sum = Tensor.allocate(arena, DType.F32, 3, 5);
                launch(rank, Grid.mixed(4), (core, args) -> {
                    Tile one = core.full(3, 5, DType.F32, 1);
                    for (int i = 0; i < 500; i++) {
                        core.atomicAdd(core.target(sum), 0, 0, one);
                    }
                }, null).await();
                assertThat(sum.getDouble(2, 4)).isEqualTo(4000);
                assertThat(sum.getDouble(0, 0)).isEqualTo(4000);
            }
        });
    }

    // ---- Failures

    @Test
    @Tag("dist")
    void anExceptionInOnePartBringsEveryoneDownWithItsPlaceNamed() throws Exception {
        AtomicIntegerArray inside = new AtomicIntegerArray(2);
        List<Throwable> outcomes = Ranks.of(2).outcomes(rank -> {
            SignalArray never = rank.heap().createSignals("never", List.of("slot"), 1);
            Event event = launch(rank, Grid.mixed(4), (core, args) -> {
                inside.incrementAndGet(core.rank());
                try {
                    if (core.rank() == 1 && core.program() == 2 && core.part() == Part.VECTOR) {
                        throw new ArithmeticException("one too many");
                    }
                    if (core.part() == Part.VECTOR) {
                        core.wait(never, 0, Comparison.AT_LEAST, 1);
                    }
                    core.barrierAll();
                } finally {
                    inside.decrementAndGet(core.rank());
                }
            }, null);
            try {
                event.await();
            } finally {
                rank.runtime().close();
                assertThatThrownBy(() -> launch(rank, Grid.cube(1), (core, args) -> {
                }, null)).isInstanceOf(TandemException.class);
            }
        });
        assertThat(inside.get(0)).isZero();
        assertThat(inside.get(1)).isZero();
        assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome).isInstanceOf(TandemException.class)
                .hasMessageContaining("kernel test, rank 1, program 2 VECTOR: exception in the kernel: "
                        + "java.lang.ArithmeticException: one too many"));
    }

    @Test
    void aRefusedCallNamesKernelRankProgramAndPart() throws Exception {
        List<Throwable> outcomes = Ranks.of(1).outcomes(rank -> launch(rank, Grid.cube(3), (core, args) -> {
            if (core.program() == 1) {
                core.zeros(1, 0, DType.F32);
            }
        }, null).await());
        assertThat(outcomes.get(0)).isInstanceOf(TandemException.class)
                .hasMessageContaining("kernel test, rank 0, program 1 CUBE: empty tile: rows=1, cols=0");
    }

    @Test
    void aCoreServesItsOwnThreadWhileItsKernelRuns() throws Exception {
        Ranks.of(1).run(rank -> {
            AtomicReference<Core> kept = new AtomicReference<>();
            launch(rank, Grid.vector(1), (core, args) -> kept.set(core), null).await();
            assertThatThrownBy(() -> kept.get().zeros(1, 1, DType.F32)).isInstanceOf(UsageException.class)
                    .hasMessageContaining("kernel test, rank 0, program 0 VECTOR: core used by another thread");
        });
    }

    @Test
    void aWaitThatNobodyAnswersTimesOutAndSaysWhoWaitedForWhat() throws Exception {
        List<Throwable> outcomes = Ranks.of(1).timeoutMs(300).outcomes(rank -> {
            SignalArray never = rank.heap().createSignals("never", List.of("slot"), 5);
            launch(rank, Grid.cube(1), (core, args) -> core.wait(never, 3, Comparison.AT_LEAST, 7), null).await();
        });
        assertThat(outcomes.get(0)).isInstanceOf(TandemException.class)
                .hasMessageContaining("kernel test, rank 0, program 0 CUBE: ")
                .hasMessageContaining("never")
                .hasMessageContaining("7")
                .hasMessageContaining("seen=0");
    }

    @Test
    void aBarrierThatAPartDoesNotReachTimesOutAndNamesIt() throws Exception {
        List<Throwable> outcomes = Ranks.of(1).timeoutMs(500).outcomes(rank -> {
            SignalArray coming = rank.heap().createSignals("coming", List.of("slot"), 1);
            launch(rank, Grid.mixed(2), (core, args) -> {
                if (core.program() == 1 && core.part() == Part.CUBE) {
                    // Comes last to the only processor, and then keeps it.
                    core.wait(coming, 0, Comparison.AT_LEAST, 3);
                    while (!rank.world().aborted()) {
                        Thread.onSpinWait();
                    }
                }
                core.notify(coming, 0, 0, 1, SignalOp.ADD);
                core.barrierAll();
            }, null).await();
        });
        assertThat(outcomes.get(0)).isInstanceOf(TandemException.class)
                .hasMessageContaining("wait timed out: barrier=1 of the launch")
                .hasMessageContaining("arrived=3, parts=4")
                .hasMessageContaining("missing: program 1 CUBE (computes)");
    }

    @Test
    void partsThatCallTheBarrierUnequallyOftenAreToldAtOnce() throws Exception {
        for (int early : new int[]{0, 1}) {
            List<Throwable> outcomes = Ranks.of(1).outcomes(rank -> launch(rank, Grid.mixed(2), (core, args) -> {
                core.barrierAll();
                if ((core.program() == 1) == (early == 1)) {
                    core.barrierAll();
                }
            }, null).await());
            assertThat(outcomes.get(0)).isInstanceOf(TandemException.class)
                    .hasMessageContaining("all parts of all programs call barrierAll equally often");
        }
    }
}
