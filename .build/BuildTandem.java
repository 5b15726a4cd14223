import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Builds Tandem with Maven if it has not been built since its sources changed; what {@code tandem} and {@code tandem.cmd} run.
 *
 * <p>{@code java BuildTandem.java HOME JDK}. Exit status 0: built, now or before; 3: cannot be built. Any number of these may
 * run at once: they take turns, and those who come later find it built.
 */
public final class BuildTandem {

    private static final int LEAST_UNSAFE_FLAG = 24;

    private final Path home;
    private final Path jdk;
    private final Path built;

    private BuildTandem(Path home, Path jdk) {
        this.home = home;
        this.jdk = jdk;
        this.built = home.resolve("samples").resolve("target").resolve("tandem");
    }

    /** A reason why there is no build, in one sentence. */
    private static final class CannotBuild extends Exception {

        private static final long serialVersionUID = 1L;

        CannotBuild(String sentence) {
            super(sentence);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        try {
            new BuildTandem(Path.of(arguments[0]), Path.of(arguments[1])).run();
        } catch (CannotBuild e) {
            say("[ERROR] " + e.getMessage());
            System.exit(3);
        } catch (IOException e) {
            say("[ERROR] build failed: " + e + "; check the permissions and the space of the folder");
            System.exit(3);
        }
    }

    private void run() throws IOException, InterruptedException, CannotBuild {
        if (upToDate()) {
            return;
        }
        Path folder = home.resolve("target");
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            cannotWrite();
            return;
        }
        try (FileChannel file = openLock(folder.resolve("tandem-build.lock"))) {
            if (file == null) {
                cannotWrite();
                return;
            }
            FileLock lock = file.tryLock();
            if (lock == null) {
                say("[INFO] Waiting for another build in " + home);
                file.lock();
            }
            // Closing the file frees the lock, and so does the end of this process, however it comes.
            if (!upToDate()) {
                build(folder.resolve("tandem-build.log"));
            }
        }
    }

    private static FileChannel openLock(Path path) {
        try {
            return FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            return null;
        }
    }

    /** A folder that cannot be written is run as it was built; the user is told if that is not what the sources say. */
    private void cannotWrite() throws CannotBuild {
        if (!Files.isDirectory(built.resolve("lib"))) {
            throw new CannotBuild("Tandem is not built, and its folder cannot be written: " + home
                    + "; build a copy that can be");
        }
        say("[WARN] Sources are newer than the build and the folder cannot be written, so the old build runs: " + home);
    }

    private Path stamp() {
        return built.resolve("built");
    }

    /** The same question as in the tandem script: is any source, or folder of sources, newer than the last build? */
    private boolean upToDate() throws IOException {
        if (!Files.isRegularFile(stamp()) || !Files.isDirectory(built.resolve("lib"))) {
            return false;
        }
        FileTime last = Files.getLastModifiedTime(stamp());
        List<Path> roots = new ArrayList<>(List.of(home.resolve("pom.xml")));
        try (Stream<Path> modules = Files.list(home)) {
            for (Path module : modules.toList()) {
                roots.add(module.resolve("pom.xml"));
                roots.add(module.resolve("src").resolve("main"));
            }
        }
        for (Path root : roots) {
            if (Files.exists(root)) {
                try (Stream<Path> files = Files.walk(root)) {
                    for (Path file : files.toList()) {
                        if (Files.getLastModifiedTime(file).compareTo(last) > 0) {
                            return false;
                        }
                    }
                }
            }
        }
        return true;
    }

    private void build(Path log) throws IOException, InterruptedException, CannotBuild {
        String maven = maven();
        // The time of the start: a source that changes while Maven runs is newer than it.
        Path started = Files.createTempFile(log.getParent(), "tandem-build", ".started");
        try {
            say("[INFO] Building Tandem; the first time fetches libraries and may take some minutes");
            int status = runMaven(maven, log);
            if (status != 0) {
                throw new CannotBuild("build failed (Maven's exit status " + status + "): see above and " + log
                        + "; once it is fixed, run this again");
            }
            if (!Files.isDirectory(built.resolve("lib"))) {
                throw new CannotBuild("build left no libraries in " + built.resolve("lib") + ": see " + log);
            }
            Files.move(started, stamp(), StandardCopyOption.REPLACE_EXISTING);
            say("[INFO] Built.");
        } finally {
            Files.deleteIfExists(started);
        }
    }

    private int runMaven(String maven, Path log) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(maven, "-B", "-DskipTests", "-f", home.resolve("pom.xml").toString(), "package");
        builder.directory(home.toFile());
        environment(builder.environment(), maven);
        builder.redirectErrorStream(true);
        builder.redirectInput(ProcessBuilder.Redirect.from(nothing()));
        Process process = builder.start();
        Thread end = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(end);
        Deque<String> errors = new ArrayDeque<>();
        int fetched = 0;
        try (BufferedReader lines = new BufferedReader(
                        new InputStreamReader(process.getInputStream(), Charset.defaultCharset()));
                PrintWriter copy = new PrintWriter(Files.newBufferedWriter(log, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                copy.println(line);
                if (line.matches("\\[INFO\\] Building .*\\[\\d+/\\d+\\]")) {
                    say("[INFO]   " + line.substring("[INFO] Building ".length()).strip().replaceAll("\\s+", " "));
                } else if (line.contains("Downloaded from ")) {
                    fetched++;
                    if (fetched % 50 == 0) {
                        say("[INFO]   " + fetched + " files fetched");
                    }
                } else if (line.startsWith("[ERROR]") && errors.size() < 20) {
                    errors.addLast(line);
                }
            }
        }
        int status = process.waitFor();
        Runtime.getRuntime().removeShutdownHook(end);
        if (status != 0) {
            errors.forEach(BuildTandem::say);
        }
        return status;
    }

    private static File nothing() {
        return new File(File.separatorChar == '\\' ? "NUL" : "/dev/null");
    }

    /** Maven runs on the JDK that was found, so that Maven's choice of a JDK to compile with has at least that one. */
    private void environment(Map<String, String> variables, String maven) throws IOException, InterruptedException {
        variables.put("JAVA_HOME", jdk.toString());
        if (javaOf(maven, variables) >= LEAST_UNSAFE_FLAG) {
            // Maven 3 still does what newer JVMs warn about.
            String flags = "--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow";
            variables.merge("MAVEN_OPTS", flags, (given, more) -> given + " " + more);
        }
    }

    /** Asks Maven which Java it runs on; a start file of the user's may have changed that. 0 if it does not say. */
    private static int javaOf(String maven, Map<String, String> variables) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(maven, "-B", "-version").redirectErrorStream(true);
        builder.environment().putAll(variables);
        Process process = builder.start();
        int feature = 0;
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("Java version: ")) {
                    String digits = line.substring("Java version: ".length()).replaceAll("[^0-9].*", "");
                    feature = digits.isEmpty() ? 0 : Integer.parseInt(digits);
                }
            }
        }
        process.waitFor();
        return feature;
    }

    private static String maven() throws CannotBuild {
        boolean windows = File.separatorChar == '\\';
        String name = windows ? "mvn.cmd" : "mvn";
        List<String> folders = new ArrayList<>();
        for (String variable : List.of("MAVEN_HOME", "M2_HOME")) {
            if (System.getenv(variable) != null) {
                folders.add(System.getenv(variable) + File.separator + "bin");
            }
        }
        folders.addAll(List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)));
        for (String folder : folders) {
            File candidate = new File(folder, name);
            if (candidate.canExecute() && candidate.isFile()) {
                return candidate.getPath();
            }
        }
        throw new CannotBuild("Tandem has to be built first and Maven is not on the PATH; install Maven 3.8 or later"
                + " (https://maven.apache.org/download.cgi, or the package maven of your system) and run this again");
    }

    private static void say(String line) {
        System.err.println(line);
    }
}
