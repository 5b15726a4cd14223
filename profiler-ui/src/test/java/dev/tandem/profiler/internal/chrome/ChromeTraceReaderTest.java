package dev.tandem.profiler.internal.chrome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.core.UsageException;
import dev.tandem.profiler.Cases;
import dev.tandem.profiler.trace.Category;
import dev.tandem.profiler.trace.ImportProgress;
import dev.tandem.profiler.trace.Lane;
import dev.tandem.profiler.trace.Trace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChromeTraceReaderTest {

    @TempDir
    Path folder;

    private Trace read(String json) throws IOException {
        return read(json.getBytes(StandardCharsets.UTF_8));
    }

    private Trace read(byte[] bytes) throws IOException {
        Path file = Files.write(folder.resolve("t.json"), bytes);
        return new ChromeTraceReader().read(file, ImportProgress.NONE);
    }

    @Test
    void namesMayComeAfterWhatTheyName() throws IOException {
        Trace trace = read(
                """
                        {"otherData": {"a": [1]}, "traceEvents": [
                        {"ph": "X", "pid": 1, "tid": "a", "ts": "1736408883688177.930", "dur": 0.5, "name": "k", "cat": "compute"},
                        {"ph": "C", "pid": 1, "name": "c", "ts": 1, "args": {"v": 1}}, {"ph": "?"}, 7,
                        {"ph": "M", "name": "process_name", "pid": 1, "args": {"x": {"name": "no"}, "name": "rank 0"}},
                        {"ph": "M", "name": "thread_name", "pid": 1, "tid": "a", "args": {"name": "core 0"}}]}""");
        Lane lane = trace.lanes().getFirst();
        assertThat(lane.rank()).isEqualTo("rank 0");
        assertThat(lane.thread()).isEqualTo("core 0");
        assertThat(lane.startNs(0)).isEqualTo(1736408883688177930L);
        assertThat(lane.durationNs(0)).isEqualTo(500);
        assertThat(lane.category(0)).isEqualTo(Category.COMPUTING);
        assertThat(trace.notes()).containsEntry("counter events, skipped", 1L)
                .containsEntry("events of the unknown phase '?', skipped", 1L)
                .containsEntry("items of the event array that are no events, skipped", 1L);
    }

    @Test
    void beginsAndEndsMakeSlicesInAnyOrder() throws IOException {
        Lane lane = read("""
                [{"ph":"E","ts":9,"name":"a"},{"ph":"B","ts":1,"name":"a"},{"ph":"B","ts":2,"name":"b"},
                {"ph":"E","ts":0},{"ph":"X","ts":20,"dur":-1},{"ph":"X","ts":"NaN","dur":1}]""").lanes().getFirst();
        assertThat(lane.size()).isEqualTo(2);
        assertThat(lane.name(0) + lane.startNs(0) + "+" + lane.durationNs(0)).isEqualTo("a1000+8000");
        assertThat(lane.name(1) + lane.startNs(1) + "+" + lane.durationNs(1)).isEqualTo("b2000+7000");
    }

    @Test
    void endsByOtherNamesAreMatchedAndCounted() throws IOException {
        Trace trace = new ChromeTraceReader().read(Cases.small("unbalanced-name.json"), ImportProgress.NONE);
        Lane lane = trace.lanes().getFirst();
        assertThat(lane.durationNs(0)).isEqualTo(9000);
        assertThat(lane.durationNs(1)).isEqualTo(9000);
        assertThat(trace.notes()).hasSize(1);
    }

    @Test
    void anArrayNeverClosedKeepsItsEvents() throws IOException {
        Trace trace = new ChromeTraceReader().read(Cases.small("simple-partial-trailing-comma.json"),
                ImportProgress.NONE);
        assertThat(trace.notes()).containsEntry("the file is cut short after 6 events, which were kept", 1L);
    }

    @Test
    void aByteOrderMarkAndBrokenCharactersAreRead() throws IOException {
        byte[] json = "xyz[{\"ph\":\"X\",\"ts\":1,\"dur\":1,\"name\":\"?\"}]".getBytes(StandardCharsets.ISO_8859_1);
        json[0] = (byte) 0xEF;
        json[1] = (byte) 0xBB;
        json[2] = (byte) 0xBF;
        json[json.length - 4] = (byte) 0xFF;
        assertThat(read(json).lanes().getFirst().name(0)).isEqualTo("\uFFFD");
    }

    @Test
    void whatIsNoTraceIsRefusedInOneSentence() {
        assertThatThrownBy(() -> read("")).isInstanceOf(UsageException.class)
                .hasMessage("t.json: the file is empty: lengthBytes=0; record it again");
        assertThatThrownBy(() -> read("hello")).isInstanceOf(UsageException.class)
                .hasMessageContaining("not a Chrome trace");
        assertThatThrownBy(() -> read("42")).isInstanceOf(UsageException.class).hasMessageContaining("no slice");
        assertThatThrownBy(() -> read("PK\3\4")).isInstanceOf(UsageException.class).hasMessageContaining("zip archive");
        assertThatThrownBy(() -> read("[{\"ph\":\"M\",\"name\":\"process_labels\"}]"))
                .isInstanceOf(UsageException.class)
                .hasMessage(
                        "t.json: no slice in this trace: events=1 (1 metadata other than names, skipped), slices=0; "
                                + "record it again with the profiler switched on");
    }

    @Test
    void progressCanCancel() {
        assertThatThrownBy(() -> new ChromeTraceReader().read(Cases.small("sampled_rank-0.json.gz"),
                (readBytes, totalBytes) -> false)).isInstanceOf(CancellationException.class);
    }
}
