package dev.tandem.core.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The builder behind {@code tandem}, in a clone of its own and with a stand-in for Maven that counts its runs. */
@Timeout(120)
class BuildTandemTest {

    @TempDir
    private Path folder;

    private Path builder;
    private Path clone;
    private Path bin;

    private record Ended(int status, List<String> err) {
    }

    @BeforeEach
    void makeAClone() throws IOException {
        builder = Path.of(System.getProperty("tandem.project", ".."), ".build", "BuildTandem.java").toAbsolutePath();
        assertThat(builder).exists();
        assumeThat(Path.of("/bin/sh")).isExecutable();
        clone = Files.createDirectories(folder.resolve("a clone"));
        bin = Files.createDirectories(folder.resolve("bin"));
        Files.createDirectories(clone.resolve("sdk-core/src/main/java"));
        Files.writeString(clone.resolve("pom.xml"), "<project/>");
        Files.writeString(clone.resolve("sdk-core/src/main/java/A.java"), "class A {}");
    }

    private void maven(String build) throws IOException {
        Path maven = bin.resolve("mvn");
        Files.writeString(maven, """
                #!/bin/sh
                case "$*" in *-version*) echo "Java version: 17.0.1, vendor: Nobody"; exit 0 ;; esac
                echo run >>"%s"
                echo "[INFO] Building Tandem core 0.1.0-SNAPSHOT                     [2/6]"
                %s
                """.formatted(folder.resolve("runs"), build));
        Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private String works() {
        return "mkdir -p '" + clone.resolve("samples/target/tandem/lib") + "'";
    }

    private int runs() throws IOException {
        return Files.exists(folder.resolve("runs")) ? Files.readAllLines(folder.resolve("runs")).size() : 0;
    }

    private Process start(Path err) throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        ProcessBuilder process = new ProcessBuilder(
                java.toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                builder.toString(),
                clone.toString(),
                System.getProperty("java.home"));
        process.environment().keySet().removeIf(name -> name.equals("MAVEN_HOME") || name.equals("M2_HOME"));
        process.environment().put("PATH", bin + ":" + withoutMaven());
        return process.redirectError(err.toFile()).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    }

    /** The folders of the PATH that have no Maven, and a folder with just a shell's tools in place of the others. */
    private String withoutMaven() throws IOException {
        Path tools = Files.createDirectories(folder.resolve("tools"));
        for (String tool : List.of("mkdir", "sh", "cat")) {
            for (String place : List.of("/usr/bin/", "/bin/")) {
                if (Files.exists(Path.of(place + tool)) && !Files.exists(tools.resolve(tool))) {
                    Files.createSymbolicLink(tools.resolve(tool), Path.of(place + tool));
                }
            }
        }
        return tools.toString();
    }

    private static Ended end(Process process, Path err) throws Exception {
        assertThat(process.waitFor(90, TimeUnit.SECONDS)).as("builder ended").isTrue();
        return new Ended(process.exitValue(), Files.readAllLines(err, StandardCharsets.UTF_8));
    }

    private Ended build() throws Exception {
        Path err = Files.createTempFile(folder, "err", "");
        return end(start(err), err);
    }

    @Test
    void buildsOnceAndAgainWhenASourceIsNewer() throws Exception {
        maven(works());
        Ended first = build();
        assertThat(first.status()).isZero();
        assertThat(first.err()).contains("[INFO]   Tandem core 0.1.0-SNAPSHOT [2/6]", "[INFO] Built.");
        assertThat(build()).isEqualTo(new Ended(0, List.of()));
        assertThat(runs()).isEqualTo(1);
        Files.setLastModifiedTime(
                clone.resolve("sdk-core/src/main/java/A.java"), FileTime.from(Instant.now().plusSeconds(5)));
        assertThat(build().status()).isZero();
        assertThat(runs()).isEqualTo(2);
    }

    @Test
    void terminalsThatBuildAtOnceBuildOnce() throws Exception {
        maven(works());
        List<Process> processes = new ArrayList<>();
        List<Path> errs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            errs.add(Files.createTempFile(folder, "err", ""));
            processes.add(start(errs.get(i)));
        }
        for (int i = 0; i < 3; i++) {
            assertThat(end(processes.get(i), errs.get(i)).status()).isZero();
        }
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void withoutMavenOneSentenceSaysWhatToDo() throws Exception {
        Ended ended = build();
        assertThat(ended.status()).isEqualTo(3);
        assertThat(ended.err())
                .singleElement()
                .asString()
                .startsWith("[ERROR] Tandem has to be built first and Maven is not on the PATH; install Maven");
    }

    @Test
    void aFailedBuildShowsMavensErrorsAndIsTriedAgain() throws Exception {
        maven("echo '[ERROR] A.java:1 is wrong'; exit 1");
        Ended ended = build();
        assertThat(ended.status()).isEqualTo(3);
        assertThat(ended.err()).contains("[ERROR] A.java:1 is wrong")
                .last()
                .asString()
                .contains("Maven's exit status 1");
        maven(works());
        assertThat(build().status()).isZero();
        assertThat(runs()).isEqualTo(2);
    }

    @Test
    void aBuildThatLeavesNoLibrariesHasFailed() throws Exception {
        maven("exit 0");
        Ended ended = build();
        assertThat(ended.status()).isEqualTo(3);
        assertThat(ended.err()).last().asString().contains("left no libraries");
    }
}
