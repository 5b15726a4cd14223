package dev.tandem.profiler;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Where the real traces are: some beside the tests, many in the shared cases, which not every machine has. */
public final class Cases {

    private Cases() {
    }

    public static Path small(String name) {
        return Path.of(System.getProperty("tandem.project", ".."), "profiler-ui/src/test/resources/traces", name);
    }

    public static Path shared(String name) {
        Path file = Path.of(System.getProperty("tandem.cases", "../../shared/cases"), "traces", name);
        Assumptions.assumeTrue(Files.exists(file), "the shared cases are not here: " + file.normalize());
        return file;
    }
}
