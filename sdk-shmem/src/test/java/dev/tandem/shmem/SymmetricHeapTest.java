package dev.tandem.shmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tandem.core.SetupException;
import dev.tandem.core.TimedOutException;
import dev.tandem.core.UsageException;
import dev.tandem.core.internal.world.LiveWorld;
import dev.tandem.core.launch.JobSettings;
import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.Tensor;
import dev.tandem.core.world.Idle;
import dev.tandem.core.world.SharedMemoryFiles;
import dev.tandem.core.world.World;
import java.lang.foreign.Arena;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("dist")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SymmetricHeapTest {

    private static final long HEAP = 1 << 20;

    /** What one rank does. */
    private interface Body {

        void run(SymmetricHeap heap, LiveWorld world) throws Exception;
    }

    /** Runs all ranks and gives what each ended with, null for success. */
    private static List<Throwable> run(int size, long heapBytes, long timeoutMs, Body body) throws Exception {
        JobSettings settings = new JobSettings(TimeUnit.MILLISECONDS.toNanos(timeoutMs), heapBytes, 0);
        List<LiveWorld> worlds = LiveWorld.inProcess(size, settings);
        Throwable[] ends = new Throwable[size];
        List<Thread> threads = new ArrayList<>();
        for (LiveWorld world : worlds) {
            threads.add(Thread.ofPlatform().daemon().start(() -> {
                try (SymmetricHeap heap = SymmetricHeap.open(world, settings)) {
                    try {
                        body.run(heap, world);
                    } catch (Throwable failure) {
                        world.abort(failure);
                        throw failure;
                    }
                } catch (Throwable failure) {
                    ends[world.rank()] = failure;
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(100));
            assertThat(thread.isAlive()).as("a rank ends").isFalse();
        }
        worlds.forEach(LiveWorld::close);
        return Arrays.asList(ends);
    }

    /** Stays, so that the wait of another rank is what fails first, and not this one's leaving. */
    private static void untilAborted(LiveWorld world) {
        Idle idle = Idle.spinYieldSleep();
        for (int turn = 0; !world.aborted(); turn++) {
            idle.idle(turn);
        }
    }

    private static void runWell(int size, Body body) throws Exception {
        assertThat(run(size, HEAP, 30_000, body)).containsOnlyNulls();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 8})
    void everyRankPutsToEveryRankAndSignalsOrderTheData(int size) throws Exception {
        runWell(size, (heap, world) -> {
            SymmetricTensor inbox = heap.createTensor("inbox", DType.I64, size, 5);
            SignalArray full = heap.createSignals("full", List.of("source"), size);
            try (Arena arena = Arena.ofConfined()) {
                for (int round = 1; round <= 20; round++) {
                    Tensor mine = Tensor.allocate(arena, DType.I64, 5);
                    mine.fill(100 * heap.rank() + round);
                    for (int peer = 0; peer < size; peer++) {
                        inbox.put(peer, 5L * heap.rank(), mine);
                        full.set(peer, full.slot(heap.rank()), round);
                    }
                    for (int source = 0; source < size; source++) {
                        full.waitUntil(full.slot(source), Comparison.AT_LEAST, round);
                        assertThat(inbox.local().getDouble(source, 4)).isEqualTo(100 * source + round);
                    }
                    heap.barrierAll();
                }
                Tensor back = Tensor.allocate(arena, DType.I64, 5);
                inbox.get((heap.rank() + 1) % size, 0, back);
                assertThat(back.getDouble(0)).isEqualTo(20);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 8})
    void additionsOfAllRanksArriveAndBarriersHold(int size) throws Exception {
        runWell(size, (heap, world) -> {
            SignalArray sum = heap.createSignals("sum", List.of("x"), 1);
            for (int round = 1; round <= 200; round++) {
                sum.add(0, 0, heap.rank() + 1);
                heap.barrierAll();
                assertThat(sum.read(0, 0)).isEqualTo((long) round * size * (size + 1) / 2);
                heap.barrierAll();
            }
        });
    }

    @Test
    void memoryIsReusedOnlyAfterAllRanksHaveClosedAndNothingLeaks() throws Exception {
        runWell(3, (heap, world) -> {
            for (int round = 0; round < 300; round++) {
                SymmetricTensor large = heap.createTensor("large", DType.F32, 100_000);
                SignalArray signals = heap.createSignals("signals", List.of("x"), 10);
                assertThat(signals.read(9)).as("round %d: fresh signals are 0", round).isZero();
                signals.set(heap.rank(), 9, 7);
                heap.barrierAll();
                large.close();
                signals.close();
                large.close();
            }
        });
        runWell(2, (heap, world) -> {
            SymmetricTensor first = heap.createTensor("first", DType.I32, 16);
            first.local().fill(heap.rank());
            heap.barrierAll();
            if (heap.rank() == 0) {
                first.close();
            }
            SymmetricTensor second = heap.createTensor("second", DType.I32, 16);
            second.local().fill(9);
            heap.barrierAll();
            if (heap.rank() == 1) {
                assertThat(first.local().getDouble(3)).as("rank 1 has not closed it").isEqualTo(1);
            }
        });
    }

    @Test
    void ranksThatCreateDifferentThingsAllFailAndHearOfBoth() throws Exception {
        List<Throwable> ends = run(3, HEAP, 30_000,
                (heap, world) -> heap.createTensor("x", DType.F32, heap.rank() == 2 ? 8 : 4));
        assertThat(ends).allSatisfy(end -> assertThat(end).isInstanceOf(UsageException.class)
                .hasMessage(
                        "ranks create different things: rank 0 creates #0 tensor x fp32 [4], 16 bytes, rank 2 creates #0"
                                + " tensor x fp32 [8], 32 bytes; make the same calls in the same order on all ranks"));
    }

    @Test
    void anExhaustedHeapSaysWhatIsFree() throws Exception {
        List<Throwable> ends = run(2, HEAP, 30_000, (heap, world) -> heap.createTensor("big", DType.F32, 1 << 20));
        assertThat(ends).allSatisfy(end -> assertThat(end).isInstanceOf(SetupException.class)
                .hasMessageStartingWith("symmetric heap exhausted: big wants 4194304 bytes, free=1044480 bytes, largest"
                        + " hole=1044480 bytes, heap=1048576 bytes"));
    }

    @Test
    void aHeapAboveTwoGibibytesIsReachedAtBothEnds() throws Exception {
        long bytes = (2L << 30) + (64L << 20);
        Path folder = SharedMemoryFiles.folder(System.getenv());
        assumeThat(Files.getFileStore(folder).getUsableSpace()).as("free bytes in %s", folder).isGreaterThan(2 * bytes);
        List<Throwable> ends = run(1, bytes, 30_000, (heap, world) -> {
            SymmetricTensor large = heap.createTensor("large", DType.I64, (2L << 30) / 8);
            SymmetricTensor behind = heap.createTensor("behind", DType.I64, 8);
            large.local().setDouble(3, 0);
            large.local().setDouble(4, (2L << 30) / 8 - 1);
            behind.local().setDouble(5, 7);
            assertThat(large.at(0).getDouble(0)).isEqualTo(3);
            assertThat(large.at(0).getDouble((2L << 30) / 8 - 1)).isEqualTo(4);
            assertThat(behind.at(0).getDouble(7)).as("behind the first 2 GiB").isEqualTo(5);
        });
        assertThat(ends).containsOnlyNulls();
    }

    @Test
    void hostsMayMeetWhileTheirKernelsDo() throws Exception {
        runWell(3, (heap, world) -> {
            SignalArray kernels = heap.createSignals("kernels", List.of("rank"), 3);
            Thread kernel = Thread.ofPlatform().daemon().start(() -> {
                for (int round = 1; round <= 300; round++) {
                    kernels.set(0, heap.rank(), round);
                    heap.barrierAll(Idle.spinYieldSleep());
                    for (int rank = 0; rank < 3; rank++) {
                        if (kernels.read(0, rank) < round) {
                            world.abort(new AssertionError("round " + round + " passed without rank " + rank));
                        }
                    }
                }
            });
            for (int round = 0; round < 200; round++) {
                heap.barrierAll();
            }
            kernel.join(TimeUnit.SECONDS.toMillis(30));
            assertThat(kernel.isAlive()).as("the kernels' barriers end").isFalse();
            world.checkAlive();
            heap.barrierAll();
        });
    }

    @Test
    void closingWaitsForNobodyAndTheOthersGoOn() throws Exception {
        runWell(2, (heap, world) -> {
            SymmetricTensor data = heap.createTensor("data", DType.I32, 4);
            data.local().fill(heap.rank() + 1);
            heap.barrierAll();
            if (heap.rank() == 0) {
                heap.close();
                assertThatThrownBy(data::local).isInstanceOf(UsageException.class)
                        .hasMessage("use after close: data of a closed heap; use it before closing it");
            }
            world.group().barrier();
            if (heap.rank() == 1) {
                assertThat(data.at(0).getDouble(3)).as("this rank's mapping of rank 0's heap stays").isEqualTo(1);
            }
        });
    }

    @Test
    void ranksThatAskForDifferentHeapsAllHearOfIt() throws Exception {
        List<LiveWorld> worlds = LiveWorld.inProcess(2, JobSettings.defaults());
        List<Throwable> ends = new CopyOnWriteArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (LiveWorld world : worlds) {
            threads.add(Thread.ofPlatform().daemon().start(() -> {
                try (SymmetricHeap heap = SymmetricHeap.open(world,
                        new JobSettings(JobSettings.DEFAULT_TIMEOUT_NS, HEAP * (1 + world.rank()), 0))) {
                    heap.barrierAll();
                } catch (Throwable failure) {
                    ends.add(failure);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(60));
        }
        worlds.forEach(LiveWorld::close);
        assertThat(ends).hasSize(2)
                .allSatisfy(end -> assertThat(end).isInstanceOf(UsageException.class)
                        .hasMessage(
                                "ranks ask for different heaps: --heap by rank=[1048576, 2097152] bytes (0: as Tandem chooses);"
                                        + " give all ranks the same"));
    }

    @Test
    void ranksOnSeveralMachinesAreRefused() {
        World scattered = (World) Proxy.newProxyInstance(World.class.getClassLoader(), new Class<?>[]{World.class},
                (_, method, _) -> switch (method.getName()) {
                    case "size" -> 4;
                    case "localSize" -> 2;
                    default -> throw new AssertionError("asks for " + method.getName());
                });
        assertThatThrownBy(() -> SymmetricHeap.open(scattered, JobSettings.defaults()))
                .isInstanceOf(SetupException.class)
                .hasMessage(
                        "ranks on several machines: ranks=4, of them here=2; shared memory reaches one machine, start all"
                                + " ranks on it");
    }

    @Test
    void aSignalThatNeverComesIsNamedWithIndexWantedAndSeen() throws Exception {
        List<Throwable> ends = run(2, HEAP, 300, (heap, world) -> {
            SignalArray ready = heap.createSignals("ready", List.of("source", "block"), 2, 4);
            if (heap.rank() == 0) {
                ready.waitUntil(ready.slot(1, 3), Comparison.AT_LEAST, 5);
            }
            untilAborted(world);
        });
        assertThat(ends.get(0)).isInstanceOf(TimedOutException.class)
                .hasMessageStartingWith(
                        "wait timed out: rank=0, signal=ready[source=1, block=3] of rank 0, wanted >= 5, seen=0, waited=");
    }

    @Test
    void aBarrierNamesWhoIsMissing() throws Exception {
        List<Throwable> ends = run(3, HEAP, 300, (heap, world) -> {
            if (heap.rank() != 1) {
                heap.barrierAll();
            }
            untilAborted(world);
        });
        assertThat(ends).filteredOn(end -> end instanceof TimedOutException)
                .isNotEmpty()
                .allSatisfy(end -> assertThat(end).hasMessageContaining("ranks missing=[1]"));
    }

    @Test
    void useAfterCloseAndMisuseAreRefused() throws Exception {
        runWell(1, (heap, world) -> {
            SymmetricTensor tensor = heap.createTensor("t", DType.F32, 4);
            SignalArray signals = heap.createSignals("s", List.of("i"), 2);
            assertThatThrownBy(() -> tensor.at(1)).isInstanceOf(UsageException.class)
                    .hasMessage("out of range: rank=1, size=1; pass 0 to 0");
            assertThatThrownBy(() -> signals.read(2)).hasMessage("out of range: slot=2, size=2; pass 0 to 1");
            assertThatThrownBy(() -> tensor.put(0, 0, tensor.local()))
                    .hasMessageContaining("source and target overlap");
            try (Arena arena = Arena.ofConfined()) {
                Tensor long5 = Tensor.allocate(arena, DType.F32, 5);
                assertThatThrownBy(() -> tensor.put(0, 0, long5)).hasMessageContaining("out of range: t");
                Tensor wrong = Tensor.allocate(arena, DType.I32, 2);
                assertThatThrownBy(() -> tensor.put(0, 0, wrong)).hasMessageContaining("elements of the same type");
                tensor.put(0, 4, Tensor.allocate(arena, DType.F32, 0));
            }
            tensor.close();
            assertThatThrownBy(tensor::local).hasMessage("use after close: t is closed; use it before closing it");
        });
    }
}
