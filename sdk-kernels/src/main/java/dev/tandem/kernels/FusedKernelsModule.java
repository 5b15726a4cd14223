package dev.tandem.kernels;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.tandem.core.device.Device;
import dev.tandem.kernels.fused.FusedKernels;
import dev.tandem.kernels.internal.matrix.EngineChoice;
import dev.tandem.kernels.internal.runtime.HostKernelRuntime;
import dev.tandem.kernels.matrix.MatrixEngine;
import dev.tandem.kernels.tile.KernelRuntime;
import dev.tandem.shmem.SymmetricHeap;

/**
 * Gives a rank its {@link MatrixEngine}, its {@link KernelRuntime} and its {@link FusedKernels}; needs the core's module and
 * the symmetric heap's.
 *
 * <p>The matrix engine is oneDNN, or plain Java where oneDNN cannot be had on the machine; then a warning is logged and
 * {@link MatrixEngine#describe()} keeps the reason. The environment variable {@code TANDEM_MATRIX_ENGINE} forces one:
 * {@code onednn}, which fails where it cannot be had, or {@code java}.
 */
public final class FusedKernelsModule extends AbstractModule {

    /** Creates the module. */
    public FusedKernelsModule() {
    }

    @Provides
    @Singleton
    MatrixEngine matrixEngine() {
        return EngineChoice.open(System.getenv());
    }

    @Provides
    @Singleton
    KernelRuntime kernelRuntime(Device device, SymmetricHeap heap, MatrixEngine engine) {
        return new HostKernelRuntime(device, heap, engine);
    }

    @Provides
    @Singleton
    FusedKernels fusedKernels(KernelRuntime runtime, SymmetricHeap heap, Device device) {
        return new FusedKernels(runtime, heap, device.createStream("kernels"));
    }
}
