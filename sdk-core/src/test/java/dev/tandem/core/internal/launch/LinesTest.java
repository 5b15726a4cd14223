package dev.tandem.core.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LinesTest {

    private final CapturedConsole captured = new CapturedConsole();
    private final RecentLines recent = new RecentLines();
    private final List<FailureReport> reports = new ArrayList<>();

    private void carry(byte[] bytes, boolean standardError, String prefix) {
        new Lines(new ByteArrayInputStream(bytes), captured.console(), standardError, prefix, recent, reports::add)
                .run();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void eachStreamGoesToItsOwn() {
        carry(utf8("a result\n"), false, "");
        carry(utf8("a remark\n"), true, "");
        assertThat(captured.out()).isEqualTo("a result" + System.lineSeparator());
        assertThat(captured.err()).isEqualTo("a remark" + System.lineSeparator());
    }

    @Test
    void aPartialLastLineGetsALineEnd() {
        carry(utf8("whole\npartial"), false, "");
        assertThat(captured.out().lines()).containsExactly("whole", "partial");
        assertThat(captured.out()).endsWith(System.lineSeparator());
    }

    @Test
    void everyLineIsTagged() {
        carry(utf8("one\n\ntwo\r\nthr\u00e9e"), false, "[rank 3] ");
        assertThat(captured.out().lines()).containsExactly("[rank 3] one", "[rank 3] ", "[rank 3] two",
                "[rank 3] thr\u00e9e");
    }

    @Test
    void nothingMakesNoLine() {
        carry(new byte[0], false, "[rank 0] ");
        assertThat(captured.out()).isEmpty();
    }

    @Test
    void theLastLinesAreRemembered() {
        carry(utf8(IntStream.range(0, 20).mapToObj(i -> "line " + i + "\n").reduce("", String::concat)), false,
                "[rank 1] ");
        assertThat(recent.lines()).hasSize(RecentLines.REMEMBERED).startsWith("line 12").endsWith("line 19");
    }

    @Test
    void aFailureReportIsTakenOutOfStandardErrorOnly() {
        String line = new FailureReport(true, "rank 1 is gone; see its output").toLine();
        carry(utf8("before\n" + line + "\nafter\n"), true, "");
        carry(utf8(line + "\n"), false, "");
        assertThat(captured.err().lines()).containsExactly("before", "after");
        assertThat(captured.out()).isNotEmpty();
        assertThat(reports).containsExactly(new FailureReport(true, "rank 1 is gone; see its output"));
    }

    @Test
    void aLineWithoutEndDoesNotFillTheMemory() {
        byte[] endless = new byte[3 * Lines.LONGEST];
        java.util.Arrays.fill(endless, (byte) 'x');
        carry(endless, false, "");
        assertThat(captured.out().lines()).hasSize(3).allMatch(line -> line.length() <= Lines.LONGEST + (1 << 14));
    }

    @Property(tries = 200)
    void bytesArriveWhateverTheirPieces(@ForAll List<String> words, @ForAll long seed) {
        List<String> lines = words.stream().map(word -> word.replaceAll("[\\r\\n\\p{Cs}]", "_")).toList();
        byte[] bytes = utf8(String.join("\n", lines) + (lines.isEmpty() ? "" : "\n"));
        CapturedConsole own = new CapturedConsole();
        new Lines(inPieces(bytes, new Random(seed)), own.console(), false, "", new RecentLines(), report -> {}).run();
        assertThat(own.out().split(System.lineSeparator(), -1))
                .containsExactly((String.join("\n", lines) + (lines.isEmpty() ? "" : "\n")).split("\n", -1));
    }

    private static InputStream inPieces(byte[] bytes, Random random) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] target, int offset, int length) {
                return super.read(target, offset, Math.min(length, 1 + random.nextInt(5)));
            }
        };
    }

    @Test
    void ranksThatWriteAtOnceNeverMixTheirLines() throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int rank = 0; rank < 4; rank++) {
            PipedOutputStream source = new PipedOutputStream();
            PipedInputStream sink = new PipedInputStream(source);
            String line = Integer.toString(rank).repeat(300) + "\n";
            threads.add(Thread.ofPlatform()
                    .start(new Lines(sink, captured.console(), false, "", recent, reports::add)));
            threads.add(Thread.ofPlatform().start(() -> {
                try (source) {
                    for (int i = 0; i < 200; i++) {
                        source.write(utf8(line), 0, 150);
                        source.flush();
                        source.write(utf8(line), 150, line.length() - 150);
                    }
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(captured.out().lines()).hasSize(800).allMatch(line -> line.matches("0{300}|1{300}|2{300}|3{300}"));
    }
}
