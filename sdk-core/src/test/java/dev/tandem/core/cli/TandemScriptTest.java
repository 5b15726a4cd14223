package dev.tandem.core.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script {@code tandem} in a small clone of its own, with stand-ins for JDKs and Maven: each is a shell script that
 * says what it was asked for.
 */
@Timeout(120)
class TandemScriptTest {

    @TempDir
    private Path folder;

    private Path clone;
    private Path jdks;
    private Path bin;

    private record Ended(int status, String out, String err) {
    }

    @BeforeEach
    void makeAClone() throws IOException {
        Path project = Path.of(System.getProperty("tandem.project", ".."));
        assumeThat(project.resolve("tandem")).exists();
        assumeThat(Path.of("/bin/sh")).isExecutable();
        clone = Files.createDirectories(folder.resolve("my cl\u00f6ne"));
        jdks = Files.createDirectories(folder.resolve("the jdks"));
        bin = Files.createDirectories(folder.resolve("bin"));
        Files.copy(project.resolve("tandem"), clone.resolve("tandem"));
        executable(clone.resolve("tandem"));
        write(clone.resolve("pom.xml"), "<project/>");
        write(clone.resolve("sdk-core/pom.xml"), "<project/>");
        write(clone.resolve("sdk-core/src/main/java/A.java"), "class A {}");
        write(clone.resolve(".build/BuildTandem.java"), "// a stand-in for java runs it");
        for (String tool : List.of("dirname", "readlink", "find", "head", "sed", "mkdir")) {
            for (String place : List.of("/usr/bin/", "/bin/")) {
                if (Files.exists(Path.of(place + tool)) && !Files.exists(bin.resolve(tool))) {
                    Files.createSymbolicLink(bin.resolve(tool), Path.of(place + tool));
                }
            }
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void executable(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** A JDK that prints its arguments; as a builder it leaves a build behind. */
    private Path jdk(String name, String version, boolean compiler) throws IOException {
        Path home = jdks.resolve(name);
        write(home.resolve("release"), "IMPLEMENTOR=\"Nobody\"\nJAVA_VERSION=\"" + version + "\"\n");
        write(home.resolve("bin/java"), """
                #!/bin/sh
                case "$*" in
                    *BuildTandem.java*)
                        echo "built with %1$s" >&2
                        [ -z "${TEST_BUILD_FAILS:-}" ] || exit 3
                        for home; do :; done
                        while [ $# -gt 2 ]; do shift; done
                        mkdir -p "$1/samples/target/tandem/lib" && : >"$1/samples/target/tandem/built"
                        exit 0
                        ;;
                esac
                echo "java of %1$s"
                for argument; do echo "<$argument>"; done
                exit 42
                """.formatted(name));
        executable(home.resolve("bin/java"));
        if (compiler) {
            write(home.resolve("bin/javac"), "#!/bin/sh\n");
            executable(home.resolve("bin/javac"));
        }
        return home;
    }

    private Ended tandem(Map<String, String> variables, Path working, String... command) throws Exception {
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        ProcessBuilder builder = new ProcessBuilder(command).directory(working.toFile());
        Map<String, String> environment = new HashMap<>(Map.of(
                "PATH", bin + ":/usr/bin:/bin",
                "HOME", folder.toString(),
                "TANDEM_JDK_FOLDERS", jdks.toString(),
                "LC_ALL", "C.UTF-8"));
        environment.putAll(variables);
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("script ended").isTrue();
        return new Ended(
                process.exitValue(),
                new String(Files.readAllBytes(out), StandardCharsets.UTF_8),
                new String(Files.readAllBytes(err), StandardCharsets.UTF_8));
    }

    private Ended tandem(Map<String, String> variables, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(clone.resolve("tandem").toString()));
        command.addAll(List.of(arguments));
        return tandem(variables, folder, command.toArray(String[]::new));
    }

    /** Only these tools on the PATH, so that no real Java is. */
    private Map<String, String> noJavaOnPath() {
        return Map.of("PATH", bin.toString());
    }

    @Test
    void withoutAnyJavaOneSentenceSaysHowToGetOne() throws Exception {
        Ended ended = tandem(noJavaOnPath(), "samples");
        assertThat(ended.status()).isEqualTo(3);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err().lines())
                .singleElement()
                .asString()
                .startsWith("[ERROR] no JDK 25 or later")
                .contains("no Java at all", "https://adoptium.net", "TANDEM_JAVA_HOME");
    }

    @Test
    void withJdk17OnlyOneSentenceSaysSo() throws Exception {
        Path old = jdk("jdk-17", "17.0.15", true);
        for (Map<String, String> variables : List.of(noJavaOnPath(),
                Map.of("PATH", bin.toString(), "JAVA_HOME", old.toString()))) {
            Ended ended = tandem(variables, "run", "allgather-gemm");
            assertThat(ended.status()).isEqualTo(3);
            assertThat(ended.err().lines()).singleElement().asString().contains("Java 17 in " + old);
        }
    }

    @Test
    void aRuntimeWithoutACompilerIsNotEnough() throws Exception {
        jdk("jre-25", "25", false);
        Ended ended = tandem(noJavaOnPath(), "samples");
        assertThat(ended.status()).isEqualTo(3);
        assertThat(ended.err()).contains("Java 25 without a compiler");
    }

    @Test
    void anOldJavaHomeGivesWayToANewerJdkInAFolder() throws Exception {
        Path old = jdk("a-jdk-17", "17.0.15", true);
        jdk("b-jdk-25", "25.0.1", true);
        Ended ended = tandem(Map.of("PATH", bin.toString(), "JAVA_HOME", old.toString()), "samples");
        assertThat(ended.out()).startsWith("java of b-jdk-25");
        assertThat(ended.status()).isEqualTo(42);
    }

    @Test
    void aJavaOnThePathIsFoundThroughLinks() throws Exception {
        Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
        jdk("jdk-26", "26-ea", true);
        Files.move(jdks.resolve("jdk-26"), elsewhere.resolve("jdk-26"));
        Files.createSymbolicLink(bin.resolve("java.real"), elsewhere.resolve("jdk-26/bin/java"));
        Files.createSymbolicLink(bin.resolve("java"), Path.of("java.real"));
        assertThat(tandem(noJavaOnPath(), "samples").out()).startsWith("java of jdk-26");
    }

    @Test
    void aJdkThatIsAskedForMustBeOne() throws Exception {
        jdk("jdk-25", "25", true);
        Path old = jdk("jdk-21", "21.0.2", true);
        Ended ended = tandem(Map.of("TANDEM_JAVA_HOME", old.toString()), "samples");
        assertThat(ended.status()).isEqualTo(3);
        assertThat(ended.err().lines()).singleElement().asString().contains("TANDEM_JAVA_HOME=" + old, "Java 21");
    }

    @Test
    void argumentsArriveAsTheyAre() throws Exception {
        jdk("jdk-25", "25", true);
        Ended ended = tandem(noJavaOnPath(), "run", "x", "--a", "A *{rank} \u00e9.npy", "", "$HOME");
        assertThat(ended.out())
                .contains("<dev.tandem.core.cli.Main>\n<run>\n<x>\n<--a>\n<A *{rank} \u00e9.npy>\n<>\n<$HOME>\n")
                .contains("<-cp>\n<" + clone.toRealPath() + "/samples/target/tandem/lib/*>")
                .contains("<--enable-native-access=ALL-UNNAMED>", "<-XX:TieredStopAtLevel=1>");
    }

    @Test
    void ranksInsideRunWithTheFullCompilerAndFlagsOfOnesOwn() throws Exception {
        jdk("jdk-25", "25", true);
        Map<String, String> variables = Map.of("PATH", bin.toString(), "TANDEM_JVM_ARGS", "-Xmx2g -Da=*");
        assertThat(tandem(variables, "run", "x", "--mode", "inproc").out())
                .contains("<-Xmx2g>\n<-Da=*>\n")
                .doesNotContain("TieredStopAtLevel");
        assertThat(tandem(variables, "run", "x", "--mode=inproc").out()).doesNotContain("TieredStopAtLevel");
        assertThat(tandem(variables, "run", "x").out()).contains("TieredStopAtLevel").doesNotContain("-Xmx2g");
    }

    @Test
    void worksThroughALinkFromAnyFolder() throws Exception {
        jdk("jdk-25", "25", true);
        Path link = folder.resolve("links/t");
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, Path.of("../my cl\u00f6ne/tandem"));
        Ended ended = tandem(noJavaOnPath(), link.getParent(), "./t", "samples");
        assertThat(ended.out()).contains(clone.toRealPath() + "/samples/target/tandem/lib/*");
        assertThat(tandem(noJavaOnPath(), clone, "/bin/sh", "tandem", "samples").out()).startsWith("java of jdk-25");
    }

    @Test
    void buildsOnceAndAgainOnlyWhenASourceIsNewer() throws Exception {
        jdk("jdk-25", "25", true);
        assertThat(tandem(noJavaOnPath(), "samples").err()).contains("built with jdk-25");
        assertThat(tandem(noJavaOnPath(), "samples").err()).isEmpty();
        Files.setLastModifiedTime(
                clone.resolve("sdk-core/src/main/java/A.java"), FileTime.from(Instant.now().plusSeconds(5)));
        assertThat(tandem(noJavaOnPath(), "samples").err()).contains("built with jdk-25");
    }

    @Test
    void whatCannotBeBuiltIsNotRun() throws Exception {
        jdk("jdk-25", "25", true);
        Ended ended = tandem(Map.of("PATH", bin.toString(), "TEST_BUILD_FAILS", "yes"), "samples");
        assertThat(ended.status()).isEqualTo(3);
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void aCloneThatIsBuiltRunsWithoutBeingWritten() throws Exception {
        jdk("jdk-25", "25", true);
        tandem(noJavaOnPath(), "samples");
        Map<Path, FileTime> before = times();
        Ended ended = tandem(noJavaOnPath(), "samples");
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out()).startsWith("java of jdk-25");
        assertThat(times()).isEqualTo(before);
    }

    private Map<Path, FileTime> times() throws IOException {
        Map<Path, FileTime> times = new HashMap<>();
        Files.walkFileTree(clone, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                times.put(file, attributes.lastModifiedTime());
                return FileVisitResult.CONTINUE;
            }
        });
        return times;
    }
}
