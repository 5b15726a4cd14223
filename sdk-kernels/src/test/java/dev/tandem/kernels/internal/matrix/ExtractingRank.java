package dev.tandem.kernels.internal.matrix;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A rank of the race in {@link NativeLibrariesIT}: waits for the starting file, then opens the engine. */
public final class ExtractingRank {

    private ExtractingRank() {
    }

    /** Arguments: the cache, the starting file. */
    public static void main(String[] args) throws Exception {
        long giveUp = System.nanoTime() + 60_000_000_000L;
        while (!Files.exists(Path.of(args[1])) && System.nanoTime() < giveUp) {
            Thread.onSpinWait();
        }
        OneDnnMatrixEngine engine = OneDnnMatrixEngine.open(Map.of("TANDEM_CACHE", args[0]));
        boolean named = engine.describe().startsWith("oneDNN");
        engine.close();
        Runtime.getRuntime().exit(named ? 0 : 9);
    }
}
