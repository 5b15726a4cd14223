package dev.tandem.shmem;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.tandem.core.launch.JobSettings;
import dev.tandem.core.world.World;

/** Gives a rank its {@link SymmetricHeap}, opened at its first use, which is collective. */
public final class SymmetricHeapModule extends AbstractModule {

    /** Creates the module. */
    public SymmetricHeapModule() {
    }

    @Provides
    @Singleton
    SymmetricHeap symmetricHeap(World world, JobSettings settings) {
        return SymmetricHeap.open(world, settings);
    }
}
