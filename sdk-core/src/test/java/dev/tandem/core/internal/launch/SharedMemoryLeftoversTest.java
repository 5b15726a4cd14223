package dev.tandem.core.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedMemoryLeftoversTest {

    @TempDir
    private Path folder;

    @Test
    void onlyTheJobsOwnFilesGo() throws Exception {
        for (String name : new String[]{"tandem-ab12-0", "tandem-ab12-1", "tandem-ab123-0", "other"}) {
            Files.createFile(folder.resolve(name));
        }
        SharedMemoryLeftovers.removeFrom(folder, "ab12");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.map(path -> path.getFileName().toString())).containsExactlyInAnyOrder("tandem-ab123-0",
                    "other");
        }
    }

    @Test
    void aFolderThatIsNotThereIsNoFailure() {
        Path missing = folder.resolve("missing");
        SharedMemoryLeftovers.removeFrom(missing, "ab12");
        assertThat(missing).doesNotExist();
    }
}
