package dev.tandem.profiler.internal.chrome;

import dev.tandem.profiler.trace.Category;
import java.util.List;
import java.util.Locale;

/** The rule of {@link Category}: what a slice counts as, by the names around it. */
final class Classifier {

    static final String ASCEND_DEVICE = "Ascend Hardware";

    /** Tasks of an Ascend device that compute nothing, by the beginning of their type or name in capitals. */
    private static final List<String> ASCEND_NOT_COMPUTING = List.of("EVENT_", "NOTIFY_", "NOTIFY ", "WRITE_VALUE_SQE",
            "WRITE VALUE", "PLACE_HOLDER_SQE", "PCIE_DMA_SQE", "SDMA", "MEMCPY_ASYNC", "REDUCE_ASYNC", "PROFILING_",
            "TASK_TIMEOUT_SET");

    private static final List<String> COLLECTIVE_LIBRARIES = List.of("nccl", "rccl", "cross_device_reduce");

    private Classifier() {
    }

    static boolean isAscendCommunication(String process) {
        return process.equals("HCCL") || process.equals("Communication");
    }

    /** Whether a category marks work of a GPU in a kineto trace. */
    static boolean isGpuWork(String category) {
        return switch (category.toLowerCase(Locale.ROOT)) {
            case "kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset" -> true;
            default -> false;
        };
    }

    static Category classify(String process, String thread, String name, String category, String taskType) {
        if (process.equals(ASCEND_DEVICE)) {
            return ascendTask(thread, taskType, name);
        }
        if (isAscendCommunication(process)) {
            boolean whole = thread.startsWith("Group ") && thread.endsWith(" Communication")
                    || thread.equals("Communication Kernel");
            return whole ? Category.COMMUNICATION : Category.OTHER;
        }
        if (isGpuWork(category)) {
            return gpuWork(name, category);
        }
        return byWords(category);
    }

    private static Category ascendTask(String thread, String type, String name) {
        boolean computes = !thread.startsWith("Step Trace") && !isOtherTask(type) && !isOtherTask(name);
        return computes ? Category.COMPUTING : Category.OTHER;
    }

    private static boolean isOtherTask(String typeOrName) {
        String capitals = typeOrName.toUpperCase(Locale.ROOT);
        return ASCEND_NOT_COMPUTING.stream().anyMatch(capitals::startsWith);
    }

    private static Category gpuWork(String name, String category) {
        if (!category.equalsIgnoreCase("kernel")) {
            return Category.COPYING;
        }
        String small = name.toLowerCase(Locale.ROOT);
        return COLLECTIVE_LIBRARIES.stream().anyMatch(small::contains) ? Category.COMMUNICATION : Category.COMPUTING;
    }

    private static Category byWords(String category) {
        for (String word : category.split(",")) {
            switch (word.strip().toLowerCase(Locale.ROOT)) {
                case "compute", "computing" -> {
                    return Category.COMPUTING;
                }
                case "communication", "comm", "transfer" -> {
                    return Category.COMMUNICATION;
                }
                case "wait", "waiting" -> {
                    return Category.WAITING;
                }
                case "copy" -> {
                    return Category.COPYING;
                }
                default -> {
                    // the next word may say
                }
            }
        }
        return Category.OTHER;
    }
}
