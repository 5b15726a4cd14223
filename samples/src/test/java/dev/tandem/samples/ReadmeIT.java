package dev.tandem.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.core.cli.Main;
import dev.tandem.core.npy.Npy;
import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.RandomTensors;
import dev.tandem.core.tensor.Tensor;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every tandem command of both READMEs, run as it stands there, and what they say of each other. */
@Tag("dist")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ReadmeIT {

    private static final Path PROJECT = Path.of(System.getProperty("tandem.project", ".."));
    private static final List<String> FILES = List.of("README.md", "README.zh-CN.md");
    private static final String FIRST = "run allgather-gemm --nproc-per-node 2";

    @TempDir
    private Path temp;

    static Stream<String> commands() throws Exception {
        TreeSet<String> commands = new TreeSet<>();
        for (String file : FILES) {
            commands.addAll(commandsOf(file));
        }
        return commands.stream();
    }

    private static List<String> commandsOf(String file) throws Exception {
        List<String> found = new ArrayList<>();
        Matcher command = Pattern.compile("^\\./tandem (.*)$|`\\./tandem ([^`]*)`", Pattern.MULTILINE)
                .matcher(read(file));
        while (command.find()) {
            found.add(command.group(1) != null ? command.group(1) : command.group(2));
        }
        return found;
    }

    private static String read(String file) throws Exception {
        return Files.readString(PROJECT.resolve(file), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void runsAsWritten(String command) throws Exception {
        if (command.contains("A{rank}.npy")) {
            writeInputs();
        }
        String output = run(command);
        if (command.equals(FIRST)) {
            assertThat(output.lines()).containsSubsequence(expectedLines("README.md"));
        }
    }

    @Test
    void bothLanguagesShowTheSameFirstCommandAndTheSameLines() throws Exception {
        assertThat(expectedLines("README.md")).hasSize(5).isEqualTo(expectedLines("README.zh-CN.md"));
        assertThat(commandsOf("README.md")).startsWith(FIRST).containsAll(commandsOf("README.zh-CN.md"));
    }

    /** The sentences of the troubleshooting table. The script's own stands in a shell script; all others in a Java source. */
    @Test
    void bothTablesNameTheSameSentencesAndTheProductSaysThem() throws Exception {
        List<String> english = troubles("README.md", "| what you see |");
        assertThat(english).hasSizeGreaterThan(10).isEqualTo(troubles("README.zh-CN.md", "| 看到 |"));
        StringBuilder sources = new StringBuilder(read("tandem").replace("$least", "25"));
        for (String module : List.of("sdk-core", "sdk-shmem", "sdk-kernels")) {
            try (Stream<Path> files = Files.walk(PROJECT.resolve(module).resolve("src/main/java"))) {
                for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    sources.append(Files.readString(file, StandardCharsets.UTF_8));
                }
            }
        }
        for (String sentence : english) {
            assertThat(sources.toString()).contains(sentence.replace("…", "").replace(" --nproc-per-node", "").strip());
        }
    }

    private static List<String> troubles(String file, String header) throws Exception {
        List<String> sentences = new ArrayList<>();
        read(file).lines()
                .dropWhile(line -> !line.startsWith(header))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .forEach(line -> {
                    Matcher sentence = Pattern.compile("`([^`]+)`").matcher(line.substring(0, line.indexOf(" | ", 2)));
                    while (sentence.find()) {
                        sentences.add(sentence.group(1));
                    }
                });
        return sentences;
    }

    @Test
    void linksLeadSomewhere() throws Exception {
        for (String file : FILES) {
            Matcher link = Pattern.compile("\\]\\(([^)#]+)\\)").matcher(read(file));
            while (link.find()) {
                assertThat(PROJECT.resolve(link.group(1))).as("%s names it", file).exists();
            }
        }
    }

    private static List<String> expectedLines(String file) throws Exception {
        return read(file).lines().filter(line -> line.startsWith("[INFO]") || line.startsWith("[PASS]")).toList();
    }

    private void writeInputs() {
        try (Arena arena = Arena.ofConfined()) {
            for (int rank = 0; rank < 2; rank++) {
                Npy.write(temp.resolve("A" + rank + ".npy"),
                        RandomTensors.normal(Tensor.allocate(arena, DType.F16, 64, 48), rank));
                Npy.write(temp.resolve("B" + rank + ".npy"),
                        RandomTensors.normal(Tensor.allocate(arena, DType.F16, 48, 32), 9 + rank));
            }
        }
    }

    private String run(String command) throws Exception {
        List<String> words = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                Main.class.getName()));
        words.addAll(List.of(command.split(" ")));
        Path log = temp.resolve("log");
        Process process = new ProcessBuilder(words).directory(temp.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(240, TimeUnit.SECONDS)).as("%s ends", command).isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        String output = Files.readString(log, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as("%s: %s", command, output).isZero();
        assertThat(output).as("%s", command).doesNotContain("WARNING");
        return output;
    }
}
