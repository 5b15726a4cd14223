package dev.tandem.kernels.tile;

import dev.tandem.core.device.Event;
import dev.tandem.core.device.Stream;

/**
 * Runs kernels on this rank's device. One a rank; thread-safe.
 *
 * <p>A launch is asynchronous: it takes its turn on a stream and gives an event. One kernel runs on a device at a time,
 * whichever streams launches come from, and has all cores; ranks therefore launch kernels that wait for each other in the
 * same order.
 *
 * <p>An exception that leaves a kernel brings the job down with kernel, rank, program and part named: the other parts end,
 * the event fails, and every later launch is refused.
 */
public interface KernelRuntime {

    /**
     * Launches a kernel.
     *
     * @param <A> what the kernel is given
     * @param stream whose turn it takes
     * @param name the kernel's name for threads, messages and traces
     * @param grid how many programs, and which parts of their cores
     * @param kernel the kernel
     * @param args its arguments, the same object for all parts
     * @return done when all parts of all programs of this rank have ended; failed if one of them did
     * @throws dev.tandem.core.UsageException if an argument is missing
     * @throws dev.tandem.core.JobAbortedException if the job is coming down
     */
    <A> Event launch(Stream stream, String name, Grid grid, KernelFunction<A> kernel, A args);

    /**
     * Says how many AI cores the device has: the natural number of programs of a launch.
     *
     * @return at least 1
     */
    int cores();

    /**
     * Says how this runtime computes: its cores, the processors they share, the matrix engine and why it is this one.
     *
     * @return one line
     */
    String describe();
}
