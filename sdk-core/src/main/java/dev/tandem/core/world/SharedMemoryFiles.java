package dev.tandem.core.world;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where the shared-memory files of a job lie and what they are called: the one rule for the heap, which makes them, and for
 * the launcher, which removes what a job that died early has left. Stateless.
 */
public final class SharedMemoryFiles {

    private static final Path SHARED = Path.of("/dev/shm");

    private SharedMemoryFiles() {
    }

    /**
     * Finds the folder: {@code TANDEM_SHM_DIR}, else {@code /dev/shm} where it can be written, else the folder for temporary
     * files.
     *
     * @param environment the process's variables
     * @return the folder, which may not exist if the variable names it
     */
    public static Path folder(Map<String, String> environment) {
        String named = environment.get("TANDEM_SHM_DIR");
        if (named != null && !named.isBlank()) {
            return Path.of(named);
        }
        return Files.isDirectory(SHARED) && Files.isWritable(SHARED)
                ? SHARED
                : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /**
     * Names a rank's file.
     *
     * @param jobId the job
     * @param rank the rank
     * @return the file's name
     */
    public static String name(String jobId, int rank) {
        return prefix(jobId) + rank;
    }

    /**
     * Gives what all names of a job begin with, and no other job's.
     *
     * @param jobId the job
     * @return the prefix
     */
    public static String prefix(String jobId) {
        return "tandem-" + jobId + "-";
    }
}
