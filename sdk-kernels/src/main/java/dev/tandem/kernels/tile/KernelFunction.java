package dev.tandem.kernels.tile;

/**
 * A kernel as a launch takes it, normally a reference to a static {@link Kernel} method.
 *
 * @param <A> what the kernel is given: a record of primitives, views, targets, symmetric tensors and signals
 */
@FunctionalInterface
public interface KernelFunction<A> {

    /**
     * Runs one part of one program. Called on that part's own thread, concurrently with all others of the launch.
     *
     * @param core this part's core
     * @param args the launch's arguments, the same object for all parts
     */
    void run(Core core, A args);
}
