package dev.tandem.core.launch;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import dev.tandem.core.world.World;
import jakarta.inject.Singleton;

/** Gives the ranks of {@link TestProgram} two objects that want to be closed, one made from the other. */
public final class TestModule extends AbstractModule {

    /** Creates it, as a service, a command or a module is created. */
    public TestModule() {
        // nothing to set
    }

    /**
     * Something that says when it is closed.
     *
     * @param name what it is called
     */
    public record Opened(String name) implements AutoCloseable {

        @Override
        public void close() {
            System.out.println("closed " + name);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Something underneath. */
    public static final class Base implements AutoCloseable {

        private final World world;

        Base(World world) {
            this.world = world;
        }

        @Override
        public void close() {
            System.out.println("closed base of rank " + world.rank());
        }
    }

    @Provides
    @Singleton
    Base base(World world) {
        return new Base(world);
    }

    @Provides
    @Singleton
    Opened opened(Base base) {
        return new Opened("object of rank " + base.world.rank());
    }
}
