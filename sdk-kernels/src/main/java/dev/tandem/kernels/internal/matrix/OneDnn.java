package dev.tandem.kernels.internal.matrix;

import dev.tandem.core.SetupException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bytedeco.dnnl.dnnl_version_t;
import org.bytedeco.dnnl.global.dnnl;
import org.bytedeco.javacpp.Loader;

/**
 * The native library: loads it from the cache folder, says what it is, and keeps its own threads out of the way.
 *
 * <p>A logical core computes on its own thread, so oneDNN must not start threads of its own. Its OpenMP decides that by a
 * value of the calling thread, which {@link #useCallersThreadOnly()} sets.
 */
final class OneDnn {

    /** {@code DNNL_RUNTIME_OMP} of oneDNN's build configuration. */
    private static final int RUNTIME_OPENMP = 2;

    private final String description;
    private final MethodHandle setThreads;

    private OneDnn(String description, MethodHandle setThreads) {
        this.description = description;
        this.setThreads = setThreads;
    }

    /**
     * Loads oneDNN from a cache folder.
     *
     * @throws SetupException with the reason if it cannot be had
     */
    static OneDnn load(Path cacheRoot) {
        String platform = Loader.getPlatform();
        Path folder = new NativeLibraries(cacheRoot).extract(OneDnn.class.getClassLoader(),
                List.of("org/bytedeco/javacpp/" + platform + "/", "org/bytedeco/opencl/" + platform + "/",
                        "org/bytedeco/dnnl/" + platform + "/"));
        try {
            loadFrom(folder);
            dnnl_version_t version = dnnl.dnnl_version();
            String name = "oneDNN " + version.major() + "." + version.minor() + " (" + instructionSet() + ")";
            return new OneDnn(name, version.cpu_runtime() == RUNTIME_OPENMP ? threadSetter(folder) : null);
        } catch (LinkageError | IOException failed) {
            throw new SetupException("cannot load oneDNN: folder=" + folder + ", cause=" + failed.getMessage()
                    + "; set TANDEM_MATRIX_ENGINE=java to run without it", failed);
        }
    }

    /** JavaCPP looks into these folders first, finds all it needs there, and so extracts nothing of its own. */
    private static synchronized void loadFrom(Path folder) {
        System.setProperty("org.bytedeco.javacpp.pathsFirst", "true");
        System.setProperty("org.bytedeco.javacpp.cachedir", folder.toString());
        String path = System.getProperty("java.library.path", "");
        if (!path.startsWith(folder.toString())) {
            System.setProperty("java.library.path", folder + System.getProperty("path.separator") + path);
        }
        Loader.load(dnnl.class);
    }

    private static String instructionSet() {
        return dnnl.get_effective_cpu_isa().intern().name();
    }

    @SuppressWarnings("restricted") // the one call into native code that JavaCPP has no binding for
    private static MethodHandle threadSetter(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            Optional<Path> openMp = files
                    .filter(f -> f.getFileName().toString().matches("(lib)?(gomp|iomp5md|iomp5|omp|vcomp140)\\b.*"))
                    .findFirst();
            SymbolLookup lookup = openMp.isPresent()
                    ? SymbolLookup.libraryLookup(openMp.get(), Arena.global())
                    : SymbolLookup.loaderLookup().or(Linker.nativeLinker().defaultLookup());
            return lookup.find("omp_set_num_threads")
                    .map(f -> Linker.nativeLinker().downcallHandle(f, FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT)))
                    .orElseThrow(() -> new SetupException("cannot hold oneDNN to one thread a core: function="
                            + "omp_set_num_threads, folder=" + folder + "; set TANDEM_MATRIX_ENGINE=java"));
        }
    }

    /** Makes every product that this thread asks for run on this thread. Once a thread. */
    void useCallersThreadOnly() {
        if (setThreads != null) {
            try {
                setThreads.invokeExact(1);
            } catch (Throwable impossible) {
                throw new IllegalStateException("omp_set_num_threads takes an int and throws nothing", impossible);
            }
        }
    }

    /** Name, version and instruction set. */
    String description() {
        return description;
    }
}
