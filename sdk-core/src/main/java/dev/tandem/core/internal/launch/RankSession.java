package dev.tandem.core.internal.launch;

import com.google.inject.AbstractModule;
import com.google.inject.ConfigurationException;
import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Module;
import com.google.inject.ProvisionException;
import com.google.inject.matcher.Matchers;
import com.google.inject.spi.ProvisionListener;
import dev.tandem.core.Check;
import dev.tandem.core.SetupException;
import dev.tandem.core.UsageException;
import dev.tandem.core.launch.CoreModule;
import dev.tandem.core.launch.JobSettings;
import dev.tandem.core.launch.RankContext;
import dev.tandem.core.launch.RankModules;
import dev.tandem.core.world.World;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One rank while its program runs: its world, its injector and the objects that this has made.
 *
 * <p>The injector is made at the first {@link #get}. Thread-safe.
 */
final class RankSession implements RankContext {

    private final World world;
    private final JobSettings settings;
    private final List<Module> modules;
    private final Consumer<String> output;
    private final Deque<AutoCloseable> made = new ArrayDeque<>();
    private final Set<AutoCloseable> known = Collections.newSetFromMap(new IdentityHashMap<>());
    private Injector injector;
    private boolean closed;

    /** Starts a session whose objects come from {@code modules} and whose lines go to {@code output}. */
    RankSession(World world, JobSettings settings, List<Module> modules, Consumer<String> output) {
        this.world = world;
        this.settings = settings;
        this.modules = modules;
        this.output = output;
    }

    /** Makes the modules that a program names; each session needs its own. */
    static List<Module> modulesOf(Class<?> program) {
        List<Module> modules = new ArrayList<>();
        RankModules named = program.getAnnotation(RankModules.class);
        if (named != null) {
            for (Class<? extends Module> module : named.value()) {
                try {
                    modules.add(module.getConstructor().newInstance());
                } catch (ReflectiveOperationException e) {
                    throw new UsageException(
                            "module cannot be made: @RankModules of " + program.getName() + " names " + module.getName()
                                    + "; give it a public constructor without arguments",
                            e);
                }
            }
        }
        return modules;
    }

    @Override
    public World world() {
        return world;
    }

    @Override
    public <T> T get(Class<T> type) {
        try {
            return injector().getInstance(type);
        } catch (ConfigurationException e) {
            throw new UsageException(
                    "not provided: type=" + type.getName() + "; name the module that provides it in @RankModules", e);
        } catch (CreationException e) {
            throw new UsageException("modules do not fit together: "
                    + e.getErrorMessages().iterator().next().getMessage().replaceAll("\\s*\\R\\s*", " ")
                    + "; correct the modules in @RankModules", e);
        } catch (ProvisionException e) {
            throw unwrapped(e, type);
        }
    }

    /** Gives what went wrong in making an object, without the injector's report around it. */
    private static RuntimeException unwrapped(ProvisionException failure, Class<?> type) {
        Throwable cause = failure;
        while (cause instanceof ProvisionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof RuntimeException unchecked && cause != failure) {
            return unchecked;
        }
        return new SetupException("cannot be made: type=" + type.getName() + " (" + FailureReport.sentence(cause) + ")",
                failure);
    }

    private synchronized Injector injector() {
        if (closed) {
            throw new UsageException("rank has ended: rank=" + world.rank() + "; take objects while the program runs");
        }
        if (injector == null) {
            GuiceOptions.apply();
            List<Module> all = new ArrayList<>();
            all.add(new CoreModule(world, settings));
            all.add(new Tracking());
            all.addAll(modules);
            injector = Guice.createInjector(all);
        }
        return injector;
    }

    @Override
    public void print(String line) {
        output.accept(Check.notNull(line, "line"));
    }

    @Override
    public void printInOrder(String line) {
        // A mark before each text tells an empty line from none.
        List<String> lines = world.group().allGather(line == null ? "-" : "+" + line);
        if (world.rank() == 0) {
            for (String each : lines) {
                if (each.startsWith("+")) {
                    output.accept(each.substring(1));
                }
            }
        }
    }

    /** Closes what was made, last first, all of it; throws the first failure with the others attached. */
    void close() throws Exception {
        synchronized (this) {
            closed = true;
        }
        Exception first = null;
        for (AutoCloseable next = takeLast(); next != null; next = takeLast()) {
            try {
                next.close();
            } catch (Exception e) {
                if (first == null) {
                    first = e;
                } else if (first != e) {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private AutoCloseable takeLast() {
        synchronized (made) {
            return made.pollLast();
        }
    }

    /** Notes every object that the injector makes and that wants to be closed. What an object needs is made before it. */
    private final class Tracking extends AbstractModule implements ProvisionListener {

        @Override
        protected void configure() {
            bindListener(Matchers.any(), this);
        }

        @Override
        public <T> void onProvision(ProvisionInvocation<T> provision) {
            if (provision.provision() instanceof AutoCloseable closeable) {
                synchronized (made) {
                    if (known.add(closeable)) {
                        made.addLast(closeable);
                    }
                }
            }
        }
    }
}
