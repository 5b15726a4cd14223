package dev.tandem.kernels.internal.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.SetupException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bytedeco.javacpp.Loader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibrariesIT {

    private final List<String> folders = List.of("org/bytedeco/javacpp/" + Loader.getPlatform() + "/");

    @TempDir
    private Path temp;

    @Test
    @Tag("dist")
    void eightRanksThatStartTogetherExtractOnceAndLeaveNothingElse() throws Exception {
        Path cache = temp.resolve("cache with spaces é");
        Path home = Files.createDirectory(temp.resolve("home"));
        Path start = temp.resolve("start");
        List<Process> ranks = new ArrayList<>();
        try {
            for (int rank = 0; rank < 8; rank++) {
                ranks.add(new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Duser.home=" + home, "-cp",
                        System.getProperty("java.class.path"), ExtractingRank.class.getName(), cache.toString(),
                        start.toString()).redirectErrorStream(true)
                        .redirectOutput(temp.resolve("rank" + rank + ".log").toFile())
                        .start());
            }
            Files.createFile(start);
            for (int rank = 0; rank < 8; rank++) {
                assertThat(ranks.get(rank).waitFor(100, TimeUnit.SECONDS)).as("rank %d ends", rank).isTrue();
                String log = Files.readString(temp.resolve("rank" + rank + ".log"), StandardCharsets.UTF_8);
                assertThat(ranks.get(rank).exitValue()).as("rank %d: %s", rank, log).isZero();
                assertThat(log).as("rank %d prints nothing, no JVM warning either", rank).isEmpty();
            }
        } finally {
            ranks.forEach(Process::destroyForcibly);
        }
        assertThat(names(cache.resolve("natives"))).as("one folder and the lock, no half-made one")
                .hasSize(2)
                .contains(".lock")
                .noneMatch(name -> name.startsWith(".extract-"));
        assertThat(names(home)).as("nothing of JavaCPP's own cache").isEmpty();
    }

    @Test
    void anExtractionThatWasKilledHalfWayIsNeitherUsedNorKept() throws Exception {
        Path natives = Files.createDirectories(temp.resolve("natives"));
        Path old = Files.createDirectory(natives.resolve(".extract-old"));
        Files.writeString(old.resolve("libdnnl.so.3"), "half");
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
        Path running = Files.createDirectory(natives.resolve(".extract-running"));

        Path folder = new NativeLibraries(temp).extract(getClass().getClassLoader(), folders);

        assertThat(names(folder)).isNotEmpty().allMatch(name -> name.contains("javacpp"));
        assertThat(old).doesNotExist();
        assertThat(running).as("another rank may be at work in it").exists();
        assertThat(new NativeLibraries(temp).extract(getClass().getClassLoader(), folders)).isEqualTo(folder);
    }

    @Test
    void saysWhereItCouldNotWrite() throws Exception {
        Path file = Files.createFile(temp.resolve("occupied"));
        assertThatThrownBy(() -> new NativeLibraries(file).extract(getClass().getClassLoader(), folders))
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("cannot extract native libraries")
                .hasMessageContaining("set TANDEM_CACHE to a folder that can be written");
    }

    @Test
    void saysWhatIsMissingOnAnUnknownPlatform() {
        assertThatThrownBy(() -> new NativeLibraries(temp).extract(getClass().getClassLoader(),
                List.of("org/bytedeco/dnnl/toaster-arm8/"))).isInstanceOf(SetupException.class)
                .hasMessageContaining("no native libraries for this platform: folder=org/bytedeco/dnnl/toaster-arm8/");
    }

    @Test
    void findsTheCacheByVariableThenBySystem() {
        assertThat(NativeLibraries.defaultCacheRoot(Map.of("TANDEM_CACHE", "/x/y"))).isEqualTo(Path.of("/x/y"));
        assertThat(NativeLibraries.defaultCacheRoot(Map.of("TANDEM_CACHE", " "))).isNotEqualTo(Path.of(" "));
    }

    private static List<String> names(Path folder) throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
