package dev.tandem.core.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.JobAbortedException;
import dev.tandem.core.SetupException;
import dev.tandem.core.UsageException;
import dev.tandem.core.device.Device;
import dev.tandem.core.world.ProcessGroup;
import dev.tandem.core.world.World;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("dist")
@Timeout(60)
class InProcessJobTest {

    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    private InProcessJob job(int ranks) {
        return Tandem.inProcess(ranks).output(lines::add);
    }

    @Test
    void linesInOrderAreInOrderAndNoneIsLeftOut() {
        job(4).run(() -> rank -> {
            int me = rank.world().rank();
            rank.printInOrder(me % 2 == 0 ? "rank " + me : null);
            rank.printInOrder(me == 3 ? "" : null);
            return 0;
        });
        assertThat(lines).containsExactly("rank 0", "rank 2", "");
    }

    @Test
    void everyRankHasItsOwnProgramAndObjects() {
        Set<Object> programs = ConcurrentHashMap.newKeySet();
        Set<Object> objects = ConcurrentHashMap.newKeySet();
        job(3).module(TestModule::new).run(() -> {
            RankProgram program = new RankProgram() {
                @Override
                public int run(RankContext rank) {
                    programs.add(this);
                    objects.add(rank.get(TestModule.Base.class));
                    assertThat(rank.get(TestModule.Base.class)).isSameAs(rank.get(TestModule.Base.class));
                    assertThat(rank.get(World.class)).isSameAs(rank.world());
                    assertThat(rank.get(ProcessGroup.class)).isNotNull();
                    assertThat(rank.get(Device.class).world()).isSameAs(rank.world());
                    assertThat(rank.get(Device.class)).isSameAs(rank.get(Device.class));
                    assertThat(rank.get(JobSettings.class)).isEqualTo(JobSettings.defaults());
                    return 0;
                }
            };
            return program;
        });
        assertThat(programs).hasSize(3);
        assertThat(objects).hasSize(3);
    }

    @Test
    void whatARankThrowsIsThrown() {
        IllegalStateException boom = new IllegalStateException("boom");
        assertThatThrownBy(() -> job(3).run(() -> rank -> {
            if (rank.world().rank() == 1) {
                throw boom;
            }
            rank.world().group().barrier();
            return 0;
        }))
                .isSameAs(boom);
    }

    @Test
    void aCheckedExceptionAndAStatusAreThrownAsAnAbortedJob() {
        assertThatThrownBy(() -> job(2).run(() -> rank -> {
            if (rank.world().rank() == 1) {
                throw new IOException("disk gone");
            }
            rank.world().group().barrier();
            return 0;
        }))
                .isInstanceOf(JobAbortedException.class)
                .hasMessage("rank 1 failed: IOException: disk gone")
                .hasCauseInstanceOf(IOException.class);
        assertThatThrownBy(() -> job(2).run(() -> rank -> rank.world().rank() == 1 ? 7 : 0))
                .isInstanceOf(JobAbortedException.class)
                .hasMessageContaining("rank 1 ended with exit status 7");
    }

    @Test
    void anObjectThatNobodyProvidesIsRefusedInOneSentence() {
        assertThatThrownBy(() -> job(1).run(() -> rank -> {
            rank.get(Runnable.class);
            return 0;
        }))
                .isInstanceOf(UsageException.class)
                .hasMessage("not provided: type=java.lang.Runnable; name the module that provides it in @RankModules");
    }

    @Test
    void aFailureInMakingAnObjectIsThrownWithoutTheInjectorsReport() {
        SetupException full = new SetupException("shared memory full: free=0; free some");
        assertThatThrownBy(() -> job(1)
                .module(() -> binder -> binder.bind(Runnable.class).toProvider(() -> {
                    throw full;
                }))
                .run(() -> rank -> {
                    rank.get(Runnable.class);
                    return 0;
                }))
                .isSameAs(full);
    }

    @Test
    void everythingIsClosedLastMadeFirstAndTheFirstFailureIsKept() {
        List<String> closed = Collections.synchronizedList(new ArrayList<>());
        IllegalStateException first = new IllegalStateException("second will not close");
        IllegalStateException next = new IllegalStateException("first will not close");
        record One(List<String> closed, RuntimeException failure) implements AutoCloseable {
            @Override
            public void close() {
                closed.add("one");
                throw failure;
            }
        }
        record Two(List<String> closed, RuntimeException failure) implements AutoCloseable {
            @Override
            public void close() {
                closed.add("two");
                throw failure;
            }
        }
        assertThatThrownBy(() -> job(1)
                .module(() -> binder -> {
                    binder.bind(One.class).toProvider(() -> new One(closed, next));
                    binder.bind(Two.class).toProvider(() -> new Two(closed, first));
                })
                .run(() -> rank -> {
                    rank.get(One.class);
                    rank.get(Two.class);
                    return 0;
                }))
                .isSameAs(first)
                .hasSuppressedException(next);
        assertThat(closed).containsExactly("two", "one");
    }

    @Test
    void anObjectCannotBeTakenAfterTheRankHasEnded() {
        List<RankContext> kept = new ArrayList<>();
        job(1).run(() -> rank -> {
            kept.add(rank);
            return 0;
        });
        assertThatThrownBy(() -> kept.getFirst().get(World.class)).hasMessageContaining("rank has ended: rank=0");
    }

    @Test
    void aJobWithoutRanksIsRefused() {
        assertThatThrownBy(() -> Tandem.inProcess(0)).isInstanceOf(UsageException.class);
    }
}
