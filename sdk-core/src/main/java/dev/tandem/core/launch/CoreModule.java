package dev.tandem.core.launch;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.tandem.core.Check;
import dev.tandem.core.device.Device;
import dev.tandem.core.world.ProcessGroup;
import dev.tandem.core.world.World;

/**
 * What every rank can inject: its {@link World}, the world's {@link ProcessGroup}, the {@link JobSettings} and the rank's
 * one {@link Device}, which is made when it is first asked for.
 *
 * <p>The launcher installs it in each rank. An application that brings its own injector installs it itself, with a world
 * that it has joined.
 */
public final class CoreModule extends AbstractModule {

    private final World world;
    private final JobSettings settings;

    /**
     * Creates the module of one rank.
     *
     * @param world the rank's world, joined; whoever joined it leaves it
     * @param settings the job's settings
     */
    public CoreModule(World world, JobSettings settings) {
        this.world = Check.notNull(world, "world");
        this.settings = Check.notNull(settings, "settings");
    }

    @Override
    protected void configure() {
        bind(World.class).toInstance(world);
        bind(ProcessGroup.class).toInstance(world.group());
        bind(JobSettings.class).toInstance(settings);
    }

    @Provides
    @Singleton
    Device device() {
        return new Device(world, settings);
    }
}
