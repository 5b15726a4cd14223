package dev.tandem.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Injector;
import dev.tandem.core.device.Device;
import dev.tandem.core.launch.CoreModule;
import dev.tandem.core.launch.JobSettings;
import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.Tensor;
import dev.tandem.kernels.fused.AllGatherGemm;
import dev.tandem.kernels.fused.AllGatherGemmShape;
import dev.tandem.kernels.fused.FusedKernels;
import dev.tandem.kernels.internal.runtime.HostKernelRuntime;
import dev.tandem.kernels.matrix.MatrixEngine;
import dev.tandem.kernels.testing.Ranks;
import dev.tandem.kernels.tile.KernelRuntime;
import dev.tandem.shmem.SymmetricHeap;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("dist")
@Timeout(180)
class FusedKernelsModuleTest {

    @Test
    void anInjectorGivesEachRankItsKernels() throws Exception {
        Ranks.of(2).run(rank -> {
            Injector injector = Guice.createInjector(new CoreModule(rank.world(), JobSettings.defaults()),
                    new FusedKernelsModule(), new AbstractModule() {

                        @Override
                        protected void configure() {
                            bind(SymmetricHeap.class).toInstance(rank.heap());
                        }
                    });
            KernelRuntime runtime = injector.getInstance(KernelRuntime.class);
            FusedKernels kernels = injector.getInstance(FusedKernels.class);
            assertThat(injector.getInstance(KernelRuntime.class)).isSameAs(runtime);
            assertThat(injector.getInstance(FusedKernels.class)).isSameAs(kernels);
            MatrixEngine engine = injector.getInstance(MatrixEngine.class);
            assertThat(runtime.cores()).isEqualTo(injector.getInstance(Device.class).cores());
            assertThat(runtime.describe()).contains(" logical cores on ")
                    .endsWith("matrix engine: " + engine.describe());
            try (Arena arena = Arena.ofShared();
                    AllGatherGemm gemm = kernels.allGatherGemm(AllGatherGemmShape.of(5, 3, 4, DType.BF16))) {
                Tensor a = Tensor.allocate(arena, DType.BF16, 5, 4).fill(rank.index() + 1);
                Tensor b = Tensor.allocate(arena, DType.BF16, 4, 3).fill(0.5);
                Tensor c = Tensor.allocate(arena, DType.BF16, 10, 3);
                gemm.run(a, b, c).await();
                assertThat(c.getDouble(4, 2)).isEqualTo(2);
                assertThat(c.getDouble(9, 2)).isEqualTo(4);
            }
            ((HostKernelRuntime) runtime).close();
            engine.close();
            injector.getInstance(Device.class).close();
        });
    }
}
