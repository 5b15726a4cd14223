package dev.tandem.kernels.internal.matrix;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.tandem.core.SetupException;
import dev.tandem.core.world.Idle;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * The native files of the jars on the class path, in one folder of the user's cache whose name is their content.
 *
 * <p>However many ranks start at once on an empty cache, one takes the lock and extracts while the others wait for it. It
 * extracts into a folder of its own and renames that, so that nobody ever sees half of it; where locks do not work, the
 * first rename wins and the others take the winner's. A rank that is killed half-way leaves a folder that no one looks into;
 * the next extraction removes it once it is a day old.
 */
final class NativeLibraries {

    private static final long ABANDONED_AFTER_MS = 24L * 60 * 60 * 1000;

    /** Longer than any extraction takes; after it the lock is taken to be broken, which costs only a second extraction. */
    private static final long LOCK_TIMEOUT_NS = 60_000_000_000L;

    private final Path cacheRoot;

    /** Extracts below {@code cacheRoot}. */
    NativeLibraries(Path cacheRoot) {
        this.cacheRoot = cacheRoot;
    }

    /** The cache of this user: TANDEM_CACHE, else where the system keeps such things. */
    static Path defaultCacheRoot(Map<String, String> environment) {
        String own = environment.get("TANDEM_CACHE");
        if (own != null && !own.isBlank()) {
            return Path.of(own);
        }
        Path home = Path.of(System.getProperty("user.home"));
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        if (system.contains("windows")) {
            String local = environment.get("LOCALAPPDATA");
            return (local == null ? home.resolve("AppData/Local") : Path.of(local)).resolve("Tandem/Cache");
        }
        if (system.contains("mac")) {
            return home.resolve("Library/Caches/tandem");
        }
        String xdg = environment.get("XDG_CACHE_HOME");
        return (xdg == null || xdg.isBlank() ? home.resolve(".cache") : Path.of(xdg)).resolve("tandem");
    }

    /**
     * Extracts what is not extracted yet.
     *
     * @param loader whose resources
     * @param folders resource folders that hold native files, such as {@code org/bytedeco/dnnl/linux-x86_64/}
     * @return the folder that holds all of their native files, side by side
     * @throws SetupException if a folder has no native files, or the cache cannot be written
     */
    Path extract(ClassLoader loader, List<String> folders) {
        try {
            List<JarEntryAt> files = new ArrayList<>();
            for (String folder : folders) {
                files.addAll(nativeFiles(loader, folder));
            }
            Path folder = cacheRoot.resolve("natives").resolve(contentHash(files));
            if (!Files.isDirectory(folder)) {
                extractTo(folder, files);
            }
            return folder;
        } catch (FileSystemException refused) {
            throw new SetupException("cannot extract native libraries: folder=" + refused.getFile() + ", cause="
                    + (refused.getReason() == null ? refused.getClass().getSimpleName() : refused.getReason())
                    + "; set TANDEM_CACHE to a folder that can be written", refused);
        } catch (IOException failed) {
            throw new SetupException("cannot extract native libraries: folder=" + cacheRoot + ", cause="
                    + failed.getMessage() + "; set TANDEM_CACHE to a folder that can be written and has 100 MB free",
                    failed);
        }
    }

    private record JarEntryAt(JarFile jar, JarEntry entry) {

        private String fileName() {
            return entry.getName().substring(entry.getName().lastIndexOf('/') + 1);
        }
    }

    private static List<JarEntryAt> nativeFiles(ClassLoader loader, String folder) throws IOException {
        List<JarEntryAt> files = new ArrayList<>();
        for (URL url : Collections.list(loader.getResources(folder))) {
            URLConnection connection = url.openConnection();
            if (connection instanceof JarURLConnection inJar) {
                JarFile jar = inJar.getJarFile();
                jar.stream().filter(entry -> isNative(entry, folder)).forEach(e -> files.add(new JarEntryAt(jar, e)));
            }
        }
        if (files.isEmpty()) {
            throw new SetupException("no native libraries for this platform: folder=" + folder
                    + "; add the artifact with this platform's classifier to the class path");
        }
        return files;
    }

    private static boolean isNative(JarEntry entry, String folder) {
        String name = entry.getName();
        return !entry.isDirectory() && name.startsWith(folder) && name.indexOf('/', folder.length()) < 0
                && name.matches(".*\\.(so|so\\.[0-9.]+|dylib|dll)");
    }

    /** Names and checksums, as the jars' own directories give them: nothing is read twice to find the folder. */
    private static String contentHash(List<JarEntryAt> files) {
        Map<String, String> lines = new TreeMap<>();
        for (JarEntryAt file : files) {
            lines.put(file.fileName(), file.fileName() + ' ' + file.entry.getSize() + ' ' + file.entry.getCrc() + '\n');
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            lines.values().forEach(line -> digest.update(line.getBytes(StandardCharsets.UTF_8)));
            return HexFormat.of().formatHex(digest.digest(), 0, 16);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java platform has SHA-256", missing);
        }
    }

    private static void extractTo(Path folder, List<JarEntryAt> files) throws IOException {
        Path parent = Files.createDirectories(folder.getParent());
        try (FileChannel lockFile = FileChannel.open(parent.resolve(".lock"), CREATE, WRITE);
                FileLock _ = lock(lockFile, folder)) {
            if (!Files.isDirectory(folder)) {
                removeAbandoned(parent);
                extractAndRename(parent, folder, files);
            }
        }
    }

    /** Waits until this rank holds the lock or the folder is there. Null if neither came. */
    private static FileLock lock(FileChannel lockFile, Path folder) throws IOException {
        Idle idle = Idle.spinYieldSleep();
        long start = System.nanoTime();
        for (int turn = 0; System.nanoTime() - start < LOCK_TIMEOUT_NS && !Files.isDirectory(folder); turn++) {
            try {
                FileLock lock = lockFile.tryLock();
                if (lock != null) {
                    return lock;
                }
            } catch (OverlappingFileLockException heldByThisJvm) {
                // another in-process rank is extracting
            }
            idle.idle(turn);
        }
        return null;
    }

    private static void extractAndRename(Path parent, Path folder, List<JarEntryAt> files) throws IOException {
        Path own = Files.createTempDirectory(parent, ".extract-");
        try {
            for (JarEntryAt file : files) {
                try (InputStream in = file.jar.getInputStream(file.entry)) {
                    Files.copy(in, own.resolve(file.fileName()), StandardCopyOption.REPLACE_EXISTING);
                }
            }
            moveUnlessThere(own, folder);
        } finally {
            remove(own);
        }
    }

    private static void moveUnlessThere(Path own, Path folder) throws IOException {
        try {
            Files.move(own, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException unsupported) {
            throw unsupported;
        } catch (FileSystemException lost) {
            if (!Files.isDirectory(folder)) {
                throw lost;
            }
        }
    }

    private static void removeAbandoned(Path parent) throws IOException {
        long before = System.currentTimeMillis() - ABANDONED_AFTER_MS;
        try (Stream<Path> siblings = Files.list(parent)) {
            for (Path sibling : siblings.filter(p -> p.getFileName().toString().startsWith(".extract-")).toList()) {
                if (Files.exists(sibling) && Files.getLastModifiedTime(sibling).toMillis() < before) {
                    remove(sibling);
                }
            }
        }
    }

    private static void remove(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
    }
}
