package dev.tandem.kernels.internal.matrix;

import dev.tandem.core.SetupException;
import dev.tandem.core.UsageException;
import dev.tandem.kernels.matrix.MatrixEngine;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which matrix engine a rank gets. */
public final class EngineChoice {

    /** The variable that forces an engine. */
    static final String VARIABLE = "TANDEM_MATRIX_ENGINE";

    private static final Logger LOG = LoggerFactory.getLogger(EngineChoice.class);

    private EngineChoice() {
    }

    /**
     * Opens oneDNN or, where it cannot be had, plain Java, which then says why and logs a warning.
     *
     * @param environment the process's variables; TANDEM_MATRIX_ENGINE=onednn or java forces one
     * @return the engine
     * @throws SetupException if oneDNN is asked for and cannot be had
     * @throws UsageException if the variable has another value
     */
    public static MatrixEngine open(Map<String, String> environment) {
        String asked = environment.getOrDefault(VARIABLE, "").strip().toLowerCase(Locale.ROOT);
        return switch (asked) {
            case "" -> openBest(environment);
            case "onednn" -> OneDnnMatrixEngine.open(environment);
            case "java" -> new JavaMatrixEngine("");
            default -> throw new UsageException("unknown matrix engine: " + VARIABLE + "=" + environment.get(VARIABLE)
                    + "; use onednn or java, or leave it unset");
        };
    }

    private static MatrixEngine openBest(Map<String, String> environment) {
        try {
            return OneDnnMatrixEngine.open(environment);
        } catch (SetupException missing) {
            LOG.warn("products are computed in plain Java, which is slower: {}", missing.getMessage());
            return new JavaMatrixEngine(missing.getMessage());
        }
    }
}
