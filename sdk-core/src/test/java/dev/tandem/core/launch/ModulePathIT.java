package dev.tandem.core.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An application that is a module: compiled here against this build's module, and run from the module path. */
@Tag("dist")
@Timeout(180)
class ModulePathIT {

    @TempDir
    private Path folder;

    private String modulePath;

    private record Ended(int status, List<String> out, List<String> err) {
    }

    @BeforeEach
    void compile() throws Exception {
        modulePath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.endsWith(".jar")
                        || entry.endsWith(Path.of("sdk-core", "target", "classes").toString()))
                .filter(entry -> entry
                        .matches(".*(guice|guava|failureaccess|jakarta|aopalliance|picocli|slf4j|classes).*"))
                .collect(Collectors.joining(File.pathSeparator));
        Path descriptor = Files.writeString(
                folder.resolve("module-info.java"),
                "module hello { requires dev.tandem.core; requires info.picocli; opens hello; }");
        Path program = Files.writeString(
                Files.createDirectory(folder.resolve("hello")).resolve("Hello.java"),
                """
                        package hello;
                        import dev.tandem.core.device.Device;
                        import dev.tandem.core.launch.*;
                        @picocli.CommandLine.Command(name = "hello")
                        public class Hello implements RankProgram {
                            @picocli.CommandLine.Option(names = "--word") String word;
                            @Override public int run(RankContext rank) {
                                rank.printInOrder(word + " from " + rank.world().rank() + " in " + getClass().getModule()
                                        + (rank.get(Device.class).cores() > 0 ? "" : "?"));
                                return 0;
                            }
                            public static void main(String[] args) { System.exit(Tandem.main(Hello.class, args)); }
                        }
                        """);
        Ended compiled = run("javac", "--module-path", modulePath, "-d", folder.resolve("out").toString(),
                descriptor.toString(), program.toString());
        assertThat(compiled.status()).as("javac; %s", compiled.err()).isZero();
    }

    private Ended run(String tool, String... arguments) throws Exception {
        Path out = Files.createTempFile(folder, "out", ".txt");
        Path err = Files.createTempFile(folder, "err", ".txt");
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", tool).toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        try {
            assertThat(process.waitFor(90, TimeUnit.SECONDS)).as("%s ended", tool).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(
                process.exitValue(),
                Files.readAllLines(out, StandardCharsets.UTF_8),
                Files.readAllLines(err, StandardCharsets.UTF_8));
    }

    private Ended hello(String mode) throws Exception {
        return run("java", "--module-path", modulePath + File.pathSeparator + folder.resolve("out"), "-m",
                "hello/hello.Hello", "--word", "hi", "--mode", mode);
    }

    @Test
    void ranksAreProcessesThatHaveTheSameModules() throws Exception {
        assertThat(hello("process"))
                .isEqualTo(new Ended(0, List.of("hi from 0 in module hello", "hi from 1 in module hello"), List.of()));
    }

    @Test
    void ranksAreThreadsWithoutAWarning() throws Exception {
        assertThat(hello("inproc"))
                .isEqualTo(new Ended(0, List.of("hi from 0 in module hello", "hi from 1 in module hello"), List.of()));
    }
}
