package dev.tandem.profiler.trace;

/**
 * What a slice counts as when overlap is computed. Importers decide it by the first rule that fits:
 *
 * <ol>
 * <li>Ascend: in the process {@code Ascend Hardware}, a slice is {@link #COMPUTING} unless its task type or its name
 * begins as that of an event, a notification, a write, a copy or a profiling mark does, or its thread is a step trace. In the
 * process {@code HCCL} or {@code Communication}, the whole operators (threads {@code Group N Communication} and
 * {@code Communication Kernel}) are {@link #COMMUNICATION}; their steps, on {@code Plane N}, are {@link #OTHER}.
 * <li>GPU (kineto): a slice of category {@code kernel} is {@link #COMMUNICATION} if its name holds {@code nccl},
 * {@code rccl} or {@code cross_device_reduce}, else {@link #COMPUTING}; {@code gpu_memcpy} and {@code gpu_memset} are
 * {@link #COPYING}. Upper and lower case are one, since old files write {@code Kernel}.
 * <li>Everything else goes by the words of its category, a comma-separated list: {@code compute} or {@code computing},
 * {@code communication}, {@code comm} or {@code transfer}, {@code wait} or {@code waiting}, {@code copy}.
 * <li>What is left is {@link #OTHER}.
 * </ol>
 */
public enum Category {
    /** A device works on the answer. */
    COMPUTING,
    /** Data goes to or comes from another rank; waiting inside a collective operator counts as part of it. */
    COMMUNICATION,
    /** A core or stream stands still until a signal comes. */
    WAITING,
    /** Data moves within one rank, as between host and device. */
    COPYING,
    /** Anything that overlap is not computed from: host functions, marks, parts of a collective operator. */
    OTHER
}
