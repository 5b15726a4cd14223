/**
 * The runtime of the tile language on the host.
 *
 * <p>{@code HostKernelRuntime} takes launches from streams and keeps a {@code PartThread} for each (program, part);
 * {@code HostCore} is the language on such a thread; {@code ProcessorTurn} and {@code PartsBarrier} are how parts wait
 * without holding a processor; {@code OnChipMemory} is where computed tiles lie.
 */
package dev.tandem.kernels.internal.runtime;
