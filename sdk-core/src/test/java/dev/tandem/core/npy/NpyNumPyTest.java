package dev.tandem.core.npy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.core.tensor.Closeness;
import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.RandomTensors;
import dev.tandem.core.tensor.Tensor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files go to the real NumPy and come back; skipped where there is none. */
@Timeout(300)
class NpyNumPyTest {

    @TempDir
    private Path folder;

    private final Arena arena = Arena.ofAuto();

    @BeforeAll
    static void numPyIsHere() throws Exception {
        boolean here;
        try {
            here = python(Path.of("."), "import numpy") == 0;
        } catch (IOException e) {
            here = false;
        }
        assumeTrue(here, "python3 with numpy is not on this machine");
    }

    private static int python(Path folder, String script) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("python3", "-c", script).directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!process.waitFor(120, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("python did not end");
        }
        return process.exitValue();
    }

    @Test
    void numPyReadsOursAndWritesTheSameBytes() throws Exception {
        int count = 0;
        for (DType type : DType.values()) {
            for (long[] shape : new long[][]{{}, {5}, {3, 7}, {1, 1}, {0, 4}, {2, 3, 4}, {1000, 130}}) {
                Tensor tensor = Tensor.allocate(arena, type, shape);
                if (type.isFloat()) {
                    RandomTensors.normal(tensor, 5);
                } else {
                    tensor.fill(-7);
                }
                Npy.write(folder.resolve("ours" + count++ + ".npy"), tensor);
            }
        }
        int status = python(folder, "import numpy\nfor i in range(" + count
                + "): numpy.save('theirs%d.npy' % i, numpy.load('ours%d.npy' % i))");
        assertThat(status).isZero();
        for (int i = 0; i < count; i++) {
            Path ours = folder.resolve("ours" + i + ".npy");
            assertThat(Files.mismatch(ours, folder.resolve("theirs" + i + ".npy"))).as("file %d", i).isEqualTo(-1);
        }
    }

    @Test
    void weReadWhatNumPyWrites() throws Exception {
        int status = python(folder, """
                import numpy as np
                a = np.arange(2 * 30 * 40).reshape(2, 30, 40) - 1000
                for order in 'CF':
                    for version in (1, 2, 3):
                        for descr in ('<f2', '>f2', '<f4', '>f4', '<f8', '>f8', '<i4', '>i4', '<i8', '>i8'):
                            name = '%s%d%s.npy' % (order, version, descr.replace('<', 'l').replace('>', 'b'))
                            with open(name, 'wb') as f:
                                np.lib.format.write_array(f, np.array(a, dtype=descr, order=order), (version, 0))
                """);
        assertThat(status).isZero();
        Tensor wanted = Tensor.allocate(arena, DType.F64, 2, 30, 40);
        for (long i = 0; i < wanted.elements(); i++) {
            wanted.setDouble(i - 1000, i / 1200, i / 40 % 30, i % 40);
        }
        String[] files = folder.toFile().list();
        for (String file : files) {
            Tensor got = Npy.read(folder.resolve(file), arena);
            assertThat(got.shape()).containsExactly(2, 30, 40);
            Tensor wide = Tensor.allocate(arena, DType.F64, 2, 30, 40).copyFrom(got);
            assertThat(Closeness.exact(wide, wanted).close()).as(file).isTrue();
        }
        assertThat(files).hasSize(60);
    }
}
