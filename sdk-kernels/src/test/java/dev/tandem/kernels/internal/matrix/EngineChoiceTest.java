package dev.tandem.kernels.internal.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.SetupException;
import dev.tandem.core.UsageException;
import dev.tandem.kernels.matrix.MatrixEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineChoiceTest {

    @TempDir
    private Path folder;

    /** This JVM's variables, so that natives come from the one cache that it has loaded them from, and one more. */
    private static Map<String, String> with(String name, String value) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.remove("TANDEM_MATRIX_ENGINE");
        environment.put(name, value);
        return environment;
    }

    /** A cache that cannot be written, because a file is where its folder should be. */
    private String brokenCache() throws IOException {
        return Files.writeString(folder.resolve("file"), "in the way").resolve("cache").toString();
    }

    @Test
    void anEngineIsForced() {
        try (MatrixEngine engine = EngineChoice.open(Map.of("TANDEM_MATRIX_ENGINE", "java"))) {
            assertThat(engine).isInstanceOf(JavaMatrixEngine.class);
            assertThat(engine.describe()).isEqualTo("plain Java");
        }
        try (MatrixEngine engine = EngineChoice
                .open(Map.of("TANDEM_MATRIX_ENGINE", " OneDNN ", "TANDEM_CACHE", folder.toString()))) {
            assertThat(engine).isInstanceOf(OneDnnMatrixEngine.class);
        }
    }

    @Test
    void withoutAWishItIsOneDnn() {
        try (MatrixEngine engine = EngineChoice.open(with("TANDEM_MATRIX_ENGINE", ""))) {
            assertThat(engine.describe()).startsWith("oneDNN 3.");
        }
    }

    @Test
    void whereOneDnnCannotBeHadItIsPlainJavaThatSaysWhy() throws IOException {
        try (MatrixEngine engine = EngineChoice.open(Map.of("TANDEM_CACHE", brokenCache()))) {
            assertThat(engine).isInstanceOf(JavaMatrixEngine.class);
            assertThat(engine.describe()).startsWith("plain Java, because cannot extract native libraries");
        }
    }

    @Test
    void aForcedOneDnnThatCannotBeHadIsAFailure() throws IOException {
        Map<String, String> environment = Map.of("TANDEM_MATRIX_ENGINE", "onednn", "TANDEM_CACHE", brokenCache());
        assertThatThrownBy(() -> EngineChoice.open(environment)).isInstanceOf(SetupException.class)
                .hasMessageContaining("cannot extract native libraries");
    }

    @Test
    void anUnknownEngineIsRefused() {
        assertThatThrownBy(() -> EngineChoice.open(Map.of("TANDEM_MATRIX_ENGINE", "cuda")))
                .isInstanceOf(UsageException.class)
                .hasMessage("unknown matrix engine: TANDEM_MATRIX_ENGINE=cuda; use onednn or java, or leave it unset");
    }
}
