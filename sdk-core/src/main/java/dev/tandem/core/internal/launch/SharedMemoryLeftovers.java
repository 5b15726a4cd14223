package dev.tandem.core.internal.launch;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Removes shared-memory files that a job which died early has left behind.
 *
 * <p>Ranks remove the names of their files themselves as soon as all have mapped them; only a job that dies before that
 * leaves any. They are called {@code tandem-JOB-…} and lie in {@code TANDEM_SHM_DIR}, by default in {@code /dev/shm} or,
 * where there is none, in the folder for temporary files. Stateless.
 */
final class SharedMemoryLeftovers {

    private static final String FOLDER_VARIABLE = "TANDEM_SHM_DIR";

    private SharedMemoryLeftovers() {
    }

    /** Removes the files of a job, once none of its ranks is alive. */
    static void remove(String jobId) {
        removeFrom(folder(), jobId);
    }

    static void removeFrom(Path folder, String jobId) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "tandem-" + jobId + "-*")) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // Not worth a failure of a job that has ended: the files have this job's name and never get in another's way.
            return;
        }
    }

    private static Path folder() {
        String named = System.getenv(FOLDER_VARIABLE);
        if (named != null && !named.isBlank()) {
            return Path.of(named);
        }
        Path shared = Path.of(File.separator, "dev", "shm");
        return Files.isDirectory(shared) ? shared : Path.of(System.getProperty("java.io.tmpdir"));
    }
}
