package dev.tandem.core.internal.launch;

import dev.tandem.core.world.SharedMemoryFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Removes shared-memory files that a job which died early has left behind.
 *
 * <p>Ranks remove the names of their files themselves as soon as all have mapped them; only a job that dies before that
 * leaves any. {@link SharedMemoryFiles} says what
 * they are called and where they lie. Stateless.
 */
final class SharedMemoryLeftovers {

    private SharedMemoryLeftovers() {
    }

    /** Removes the files of a job, once none of its ranks is alive. */
    static void remove(String jobId) {
        removeFrom(SharedMemoryFiles.folder(System.getenv()), jobId);
    }

    static void removeFrom(Path folder, String jobId) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, SharedMemoryFiles.prefix(jobId) + "*")) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // Not worth a failure of a job that has ended: the files have this job's name and never get in another's way.
            return;
        }
    }
}
