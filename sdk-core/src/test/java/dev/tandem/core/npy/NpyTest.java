package dev.tandem.core.npy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.SetupException;
import dev.tandem.core.tensor.Closeness;
import dev.tandem.core.tensor.DType;
import dev.tandem.core.tensor.RandomTensors;
import dev.tandem.core.tensor.Tensor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NpyTest {

    @TempDir
    private Path folder;

    private final Arena arena = Arena.ofAuto();

    /** A file as NumPy writes it: header text padded to a multiple of 64, then the elements. */
    private static byte[] file(int major, String dict, String elementsHex) {
        int fixed = major == 1 ? 10 : 12;
        String padded = dict + " ".repeat(64 - (fixed + dict.length() + 1) % 64) + "\n";
        return raw(major, padded, elementsHex);
    }

    private static byte[] raw(int major, String header, String elementsHex) {
        byte[] text = header.getBytes(StandardCharsets.ISO_8859_1);
        byte[] elements = HexFormat.of().parseHex(elementsHex);
        int fixed = major == 1 ? 10 : 12;
        ByteBuffer file = ByteBuffer.allocate(fixed + text.length + elements.length)
                .order(ByteOrder.LITTLE_ENDIAN);
        file.put(new byte[]{(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', (byte) major, 0});
        if (major == 1) {
            file.putShort((short) text.length);
        } else {
            file.putInt(text.length);
        }
        return file.put(text).put(elements).array();
    }

    private static String dict(String descr, boolean fortran, String shape) {
        return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape
                + ", }";
    }

    private Path save(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("A.npy"), bytes);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        // [[1, 2, 3], [4, 5, -0.5]] as numpy 2 stores it
        "1 | <f2 | false | 003c004000420044004500b8", "1 | <f2 | true  | 003c00440040004500420 0b8",
        "1 | >f2 | false | 3c004000420044004500b800",
        "2 | <f4 | false | 0000803f0000004000004040000080400000a040000000bf",
        "3 | >f4 | true  | 3f800000408000004000000040a0000040400000bf000000",
        "1 | >f8 | false | 3ff00000000000004000000000000000400800000000000040100000000000004014000000000000bfe0000000000000"})
    void readsEveryVersionOrderAndEndianness(int major, String descr, boolean fortran, String hex) throws IOException {
        Path path = save(file(major, dict(descr, fortran, "(2, 3)"), hex.replace(" ", "")));
        Tensor tensor = Npy.read(path, arena);
        assertThat(tensor.shape()).containsExactly(2, 3);
        assertThat(tensor.toFloatArray()).containsExactly(1, 2, 3, 4, 5, -0.5f);
    }

    @Test
    void readsIntegersScalarsAndEmptyArrays() throws IOException {
        Tensor ints = Npy.read(save(file(1, dict(">i4", false, "(2,)"), "fffffffe00000007")), arena);
        assertThat(ints.dtype()).isEqualTo(DType.I32);
        assertThat(ints.toFloatArray()).containsExactly(-2, 7);
        assertThat(Npy.read(save(file(1, dict("<i8", false, "(1,)"), "ffffffffffffffff")), arena).getDouble(0))
                .isEqualTo(-1);
        Tensor scalar = Npy.read(save(file(1, dict("<f4", false, "()"), "0000803f")), arena);
        assertThat(scalar.rank()).isZero();
        assertThat(scalar.getDouble()).isEqualTo(1);
        Tensor empty = Npy.read(save(file(1, dict("<f4", true, "(3, 0, 2)"), "")), arena);
        assertThat(empty.shape()).containsExactly(3, 0, 2);
    }

    @Test
    void bf16TravelsAsTheUint16OfItsBits() throws IOException {
        Path path = save(file(1, dict("<u2", false, "(3,)"), "803f00c0c07f"));
        Tensor tensor = Npy.read(path, arena, DType.BF16);
        assertThat(tensor.toFloatArray()).containsExactly(1, -2, Float.NaN);
        assertThatThrownBy(() -> Npy.read(path, arena)).isInstanceOf(SetupException.class)
                .hasMessage(
                        "uint16 in the file: " + path + " holds '<u2' (3,), wanted f2, f4, f8, i4 or i8; ask for bf16"
                                + " if these are the bits of bf16 values");
        Path copy = folder.resolve("copy.npy");
        Npy.write(copy, tensor);
        assertThat(copy).hasSameBinaryContentAs(save(file(1, dict("<u2", false, "(3,)") + " ".repeat(20),
                "803f00c0c07f")));
    }

    /** Byte for byte what numpy 2 writes, the room for growth included. */
    @Test
    void writesAsNumPyDoes() throws IOException {
        Tensor tensor = Tensor.allocate(arena, DType.F16, 2, 3);
        double[] values = {1, 2, 3, 4, 5, -0.5};
        for (int i = 0; i < 6; i++) {
            tensor.setDouble(values[i], i / 3, i % 3);
        }
        Path path = folder.resolve("C.npy");
        Npy.write(path, tensor);
        String wanted = "934e554d505901007600"
                + HexFormat.of()
                        .formatHex(("{'descr': '<f2', 'fortran_order': False, 'shape': (2, 3), }"
                                + " ".repeat(117 - 59) + "\n").getBytes(StandardCharsets.US_ASCII))
                + "003c004000420044004500b8";
        assertThat(HexFormat.of().formatHex(Files.readAllBytes(path))).isEqualTo(wanted);
        assertThat(folder.toFile().list()).containsExactly("C.npy");
    }

    @ParameterizedTest
    @EnumSource
    void whatIsWrittenIsReadBackFromAnyLayout(DType type) {
        long seed = 17;
        Tensor floats = RandomTensors.integers(Tensor.allocate(arena, DType.F32, 7, 9, 1, 11), seed, -200, 200);
        Tensor whole = Tensor.allocate(arena, type, 7, 12, 1, 14);
        Tensor view = whole.narrow(1, 2, 9).narrow(3, 3, 11);
        for (long i = 0; i < floats.elements(); i++) {
            long[] index = {i / 99, i / 11 % 9, 0, i % 11};
            view.setDouble(floats.getDouble(index), index);
        }
        for (Tensor tensor : new Tensor[]{view, view.narrow(3, 4, 1), view.narrow(0, 3, 1), view.narrow(1, 0, 0)}) {
            Path path = folder.resolve("round.npy");
            Npy.write(path, tensor);
            Tensor back = Npy.read(path, arena, type);
            assertThat(back.shape()).isEqualTo(tensor.shape());
            assertThat(Closeness.exact(back, tensor).close()).as("seed=%d %s", seed, tensor).isTrue();
            Tensor into = Tensor.allocate(arena, type, 7, 12, 1, 14).fill(55);
            Tensor target = into.narrow(1, 1, tensor.size(1)).narrow(3, 0, tensor.size(3)).narrow(0, 0, tensor.size(0));
            assertThat(Npy.readInto(path, target)).isSameAs(target);
            assertThat(Closeness.exact(target, tensor).close()).as("seed=%d into %s", seed, tensor).isTrue();
            assertThat(into.narrow(1, 0, 1).toFloatArray()).containsOnly(55);
        }
    }

    /** Larger than the chunk that goes through memory, in an order that crosses it; checked against the definition. */
    @Test
    void fortranOrderOverSeveralChunks() throws IOException {
        int m = 301;
        int n = 403;
        int p = 5;
        ByteBuffer elements = ByteBuffer.allocate(m * n * p * 4);
        for (int k = 0; k < p; k++) {
            for (int j = 0; j < n; j++) {
                for (int i = 0; i < m; i++) {
                    elements.putFloat(i + 1000 * j + 1_000_000 * k);
                }
            }
        }
        assertThat(elements.capacity()).isGreaterThan(2 * NpyFile.CHUNK_BYTES);
        byte[] header = file(1, dict(">f4", true, "(301, 403, 5)"), "");
        byte[] bytes = Arrays.copyOf(header, header.length + elements.capacity());
        System.arraycopy(elements.array(), 0, bytes, header.length, elements.capacity());
        float[] got = Npy.read(save(bytes), arena).toFloatArray();
        for (int i = 0, at = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                for (int k = 0; k < p; k++) {
                    assertThat(got[at++] == i + 1000 * j + 1_000_000 * k).as("%d %d %d", i, j, k).isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"shape\":(2,),'fortran_order':False,'descr':'<f2'}",
        "{ 'descr' : '<f2' ,\n\t'fortran_order' : True , 'shape' : ( 2L , ) } \n",
        "{'fortran_order': False, 'descr': '<f2', 'shape': (2,)}\n"})
    void headersMayBeWrittenOtherwise(String header) throws IOException {
        assertThat(Npy.read(save(raw(1, header, "003c0040")), arena).toFloatArray()).containsExactly(1, 2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
        "{'descr': '<f2', 'fortran_order': False} | no key 'shape'",
        "{'fortran_order': False, 'shape': (2,)} | no key 'descr'",
        "{'descr': '<f2', 'shape': (2,)} | no key 'fortran_order'", "{} | no key 'descr'",
        "{'descr': '<f2', 'descr': '<f2', 'fortran_order': False, 'shape': (2,)} | key 'descr' twice",
        "{'descr': '<f2', 'fortran_order': False, 'shape': (2,), 'x': 1} | unknown key 'x'",
        "{'descr': '<f2', 'fortran_order': False, 'shape': (-2,)} | negative size -2 in the shape",
        "{'descr': '<f2', 'fortran_order': False, 'shape': (99999999999999999999,)} | is larger than any file",
        "{'descr': '<f2', 'fortran_order': False, 'shape': (2)} | shape (2) is a number and not a tuple",
        "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 3 4)} | '4' instead of ',' or ')'",
        "{'descr': '<f2', 'fortran_order': False, 'shape': (2.0,)} | '.' instead of ',' or ')'",
        "{'descr': '<f2', 'fortran_order': False, 'shape': (,)} | ',' instead of a size",
        "{'descr': '<f2', 'fortran_order': False, 'shape': [2]} | '[' instead of '('",
        "{'descr': '<f2', 'fortran_order': 0, 'shape': (2,)} | '0' instead of True or False",
        "{'descr': '<f2', 'fortran_order': False, 'shape': (2,)} + {} | '+' instead of nothing more",
        "{'descr': '<f2', 'fortran_order': False 'shape': (2,)} | ''' instead of '}'",
        "{'descr': '<f2', 'fortran_order': False, 'shape': (2, | the end instead of a size",
        "{'descr': '<f2 | a quote that is never closed", "{'descr\\x': '<f2'} | no plain word in quotes",
        "{descr: 2} | 'd' instead of a quoted word", "[1] | '[' instead of '{'",
        "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,)} | elements are records",
        "{'descr': 'f2', 'fortran_order': False, 'shape': (2,)} | descr 'f2' is not a type of known byte order",
        "{'descr': '=f4', 'fortran_order': False, 'shape': (4,)} | descr '=f4' is not a type of known byte order",
        "__import__('os') | '_' instead of '{'", "(1, | '(' instead of '{'"})
    void badHeadersAreNamed(String header, String complaint) throws IOException {
        Path path = save(raw(1, header, "003c0040"));
        assertThatThrownBy(() -> Npy.read(path, arena)).isInstanceOf(SetupException.class)
                .hasMessageStartingWith("bad .npy header: " + path + ", ")
                .hasMessageContaining(complaint)
                .hasMessageContaining("; ");
    }

    @Test
    void tooManyDimensionsAreRefused() throws IOException {
        Path path = save(raw(1, dict("<f2", false, "(" + "1, ".repeat(65) + ")"), "003c"));
        assertThatThrownBy(() -> Npy.read(path, arena)).hasMessageContaining("more than 64 dimensions");
        Path most = save(raw(1, dict("<f2", false, "(" + "1, ".repeat(64) + ")"), "003c"));
        assertThat(Npy.read(most, arena).rank()).isEqualTo(64);
    }

    @ParameterizedTest
    @CsvSource({"<i2", "<u4", "<c8", ">f16", "<U10", "<V2"})
    void unsupportedTypesAreNamed(String descr) throws IOException {
        Path path = save(file(1, dict(descr, false, "(2,)"), "003c0040"));
        assertThatThrownBy(() -> Npy.read(path, arena)).isInstanceOf(SetupException.class)
                .hasMessageStartingWith("dtype not supported: " + path + " holds '" + descr + "' (2,), wanted f2, f4");
    }

    @Test
    void wrongTypeAndShapeNameBothSides() throws IOException {
        Path path = save(file(1, dict("<f4", false, "(1, 2)"), "0000803f0000803f"));
        assertThatThrownBy(() -> Npy.read(path, arena, DType.F16)).isInstanceOf(SetupException.class)
                .hasMessage(
                        "wrong dtype: " + path + " holds '<f4' (1, 2), wanted '<f2' for fp16; convert the array or ask"
                                + " for its own dtype");
        Tensor target = Tensor.allocate(arena, DType.F32, 2, 2).fill(9);
        assertThatThrownBy(() -> Npy.readInto(path, target)).isInstanceOf(SetupException.class)
                .hasMessage("wrong shape: " + path
                        + " holds '<f4' (1, 2), wanted (2, 2); pass an array of that shape or ask"
                        + " for another");
        assertThat(target.toFloatArray()).containsOnly(9);
    }

    @Test
    void wrongLengthsNameBothSides() throws IOException {
        byte[] whole = file(1, dict("<f2", false, "(2, 3)"), "003c004000420044004500b8");
        Path cut = save(Arrays.copyOf(whole, whole.length - 1));
        Tensor target = Tensor.allocate(arena, DType.F16, 2, 3).fill(9);
        assertThatThrownBy(() -> Npy.readInto(cut, target)).isInstanceOf(SetupException.class)
                .hasMessage(
                        "truncated: " + cut + " holds 11 bytes of elements, its header '<f2' (2, 3) needs 12; copy or"
                                + " save the file again");
        assertThat(target.toFloatArray()).containsOnly(9);
        Path longer = save(Arrays.copyOf(whole, whole.length + 1));
        assertThatThrownBy(() -> Npy.read(longer, arena)).isInstanceOf(SetupException.class)
                .hasMessageStartingWith("trailing bytes: " + longer + " holds 13 bytes of elements");
        Path huge = save(file(1, dict("<f2", false, "(4611686018427387904, 4)"), "003c"));
        assertThatThrownBy(() -> Npy.read(huge, arena)).isInstanceOf(SetupException.class)
                .hasMessageStartingWith("shape too large: " + huge);
        Path zero = save(file(1, dict("<f2", false, "(4611686018427387904, 4, 0)"), ""));
        assertThatThrownBy(() -> Npy.read(zero, arena)).hasMessageStartingWith("shape too large");
        Path claims = save(file(1, dict("<f8", false, "(1000000000000,)"), "003c"));
        assertThatThrownBy(() -> Npy.read(claims, arena)).hasMessageStartingWith("truncated");
    }

    @Test
    void everyCutOfAFileIsAnError() throws IOException {
        for (int major = 1; major <= 3; major++) {
            byte[] whole = file(major, dict("<f2", false, "(2,)"), "003c0040");
            for (int length = 0; length < whole.length; length++) {
                Path path = save(Arrays.copyOf(whole, length));
                assertThatThrownBy(() -> Npy.read(path, arena)).as("version %d, %d bytes", major, length)
                        .isInstanceOf(SetupException.class)
                        .hasMessageContaining(path.toString());
            }
        }
    }

    @Test
    void otherFilesAreNamed() throws IOException {
        Path text = save("this is no array".getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> Npy.read(text, arena)).isInstanceOf(SetupException.class)
                .hasMessageStartingWith("not a .npy file: " + text + ", begins with bytes 74 68 69 73 20 69");
        byte[] future = file(1, dict("<f2", false, "(1,)"), "003c");
        future[6] = 4;
        Path version = save(future);
        assertThatThrownBy(() -> Npy.read(version, arena)).hasMessage("unknown .npy version: " + version
                + ", version=4.0, wanted 1.0, 2.0 or 3.0; save the array again with numpy.save");
        byte[] beyond = file(2, dict("<f2", false, "(1,)"), "003c");
        beyond[11] = (byte) 0xff;
        Path longHeader = save(beyond);
        assertThatThrownBy(() -> Npy.read(longHeader, arena)).hasMessageStartingWith("header longer than the file: "
                + longHeader + ", header=");
        Path padded = save(raw(2, dict("<f2", false, "(1,)") + " ".repeat(1 << 20), "003c"));
        assertThatThrownBy(() -> Npy.read(padded, arena)).hasMessageStartingWith("header too long: " + padded)
                .hasMessageContaining("limit=1048576");
        Path missing = folder.resolve("missing.npy");
        assertThatThrownBy(() -> Npy.read(missing, arena)).isInstanceOf(SetupException.class)
                .hasMessage(
                        "cannot read " + missing + ": there is no such file; pass a .npy file that this user may read");
        assertThatThrownBy(() -> Npy.read(folder, arena)).isInstanceOf(SetupException.class)
                .hasMessage("cannot read " + folder + ": it is a folder; pass a .npy file that this user may read");
    }

    @Test
    void aFailedWriteLeavesNothing() throws IOException {
        Tensor tensor = Tensor.allocate(arena, DType.F32, 4);
        Path nowhere = folder.resolve("no/such/C.npy");
        assertThatThrownBy(() -> Npy.write(nowhere, tensor)).isInstanceOf(SetupException.class)
                .hasMessage("cannot write " + nowhere + ": its folder does not exist; choose another place");
        assertThatThrownBy(() -> Npy.write(folder, tensor)).isInstanceOf(SetupException.class)
                .hasMessageContaining("no regular file has this name");
        Path old = Files.writeString(folder.resolve("C.npy"), "old");
        Tensor closed;
        try (Arena confined = Arena.ofConfined()) {
            closed = Tensor.allocate(confined, DType.F32, 4);
        }
        assertThatThrownBy(() -> Npy.write(old, closed)).isInstanceOf(IllegalStateException.class);
        assertThat(old).hasContent("old");
        assertThat(folder.toFile().list()).containsExactly("C.npy");
        Npy.write(old, tensor.fill(2));
        assertThat(Npy.read(old, arena).toFloatArray()).containsOnly(2);
        assertThat(folder.toFile().list()).containsExactly("C.npy");
    }

    /** A sparse file, so that the disk holds little of it. */
    @Test
    @Tag("slow")
    void filesAboveTwoGibibytes() throws IOException {
        long elements = (1L << 30) + 1000;
        Path path = save(file(1, dict("<f2", false, "(" + elements + ",)"), ""));
        long dataOffset = Files.size(path);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[]{0, 0x3c}), dataOffset + 2 * (elements - 1));
        }
        try (Arena confined = Arena.ofConfined()) {
            Tensor tensor = Npy.read(path, confined);
            assertThat(tensor.elements()).isEqualTo(elements);
            assertThat(tensor.getDouble(elements - 1)).isEqualTo(1);
            assertThat(tensor.getDouble(elements - 2)).isZero();
            Path copy = folder.resolve("copy.npy");
            Npy.write(copy, tensor);
            assertThat(Files.mismatch(copy, path)).isEqualTo(-1);
            assertThat(Npy.readInto(copy, tensor.fill(7)).getDouble(elements - 1)).isEqualTo(1);
            assertThat(tensor.getDouble(0)).isZero();
        }
    }
}
