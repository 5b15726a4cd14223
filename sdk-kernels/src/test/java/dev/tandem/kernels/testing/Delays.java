package dev.tandem.kernels.testing;

import dev.tandem.core.device.Event;
import dev.tandem.core.device.Stream;
import dev.tandem.kernels.tile.Core;
import dev.tandem.kernels.tile.Grid;
import dev.tandem.kernels.tile.KernelFunction;
import dev.tandem.kernels.tile.KernelRuntime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A runtime whose cores come late, by chance, to what others depend on. */
public final class Delays {

    private static final Set<String> WHERE = Set.of("barrierAll", "copy", "wait", "waitAt", "notify");
    private static final long LONGEST_NS = 2_000_000;

    private Delays() {
    }

    /** Delays one in four barriers, copies, waits and signals of each core, each in an order of its own. */
    public static KernelRuntime around(KernelRuntime runtime, long seed) {
        AtomicLong launches = new AtomicLong();
        return new KernelRuntime() {

            @Override
            public <A> Event launch(Stream stream, String name, Grid grid, KernelFunction<A> kernel, A args) {
                long launch = launches.incrementAndGet();
                return runtime.launch(stream, name, grid, (core, a) -> {
                    long mine = ((seed * 1000 + launch) * 1000 + core.program()) * 2 + core.part().ordinal();
                    kernel.run(late(core, new Random(mine)), a);
                }, args);
            }

            @Override
            public int cores() {
                return runtime.cores();
            }

            @Override
            public String describe() {
                return runtime.describe();
            }
        };
    }

    private static Core late(Core core, Random random) {
        return (Core) Proxy.newProxyInstance(Core.class.getClassLoader(), new Class<?>[]{Core.class},
                (proxy, method, args) -> {
                    if (WHERE.contains(method.getName()) && random.nextInt(4) == 0) {
                        LockSupport.parkNanos(random.nextLong(LONGEST_NS));
                    }
                    try {
                        return method.invoke(core, args);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }
}
