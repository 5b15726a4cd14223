package dev.tandem.profiler.internal.chrome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tandem.core.UsageException;
import dev.tandem.profiler.Cases;
import dev.tandem.profiler.analysis.RankOverlap;
import dev.tandem.profiler.trace.Category;
import dev.tandem.profiler.trace.ImportProgress;
import dev.tandem.profiler.trace.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Files that others recorded, and the totals that they should give. */
class RealTracesTest {

    private static final List<String> OVERLAP = List.of("A: all device events", "rule on hardware+HCCL lanes");
    private static final List<String> COUNTS = List.of("n_comp", "n_comm", "n_mem");

    private final Map<Path, Trace> read = new HashMap<>();

    @TestFactory
    Stream<DynamicTest> everyShapeOfChromeTraceImports() throws IOException {
        Path folder = Cases.shared("chrome");
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            // instants are all that instant_events.json holds: see the next test
            files = all.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith("instant_events.json"))
                    .sorted()
                    .toList();
        }
        assertThat(files).hasSizeGreaterThan(15);
        return files.stream()
                .map(file -> DynamicTest.dynamicTest(folder.relativize(file).toString(),
                        () -> assertThat(new ChromeTraceReader().read(file, ImportProgress.NONE).slices())
                                .isPositive()));
    }

    @Test
    void slicesThatNeverEndAreCounted() throws IOException {
        Trace trace = new ChromeTraceReader()
                .read(Cases.shared("chrome/catapult/main_thread_has_unclosed_slices.json.gz"), ImportProgress.NONE);
        assertThat(trace.notes()).containsEntry("slices never ended, closed at the end of the trace", 4L);
    }

    @Test
    void aFileOfInstantsOnlySaysSo() {
        Path file = Cases.shared("chrome/catapult/instant_events.json");
        assertThatThrownBy(() -> new ChromeTraceReader().read(file, ImportProgress.NONE))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("5 instant events, skipped");
    }

    @Test
    void aFileOfMetadataOnlySaysSo() {
        Path file = Cases.shared("odd/metadata_only_trace_view.json");
        org.assertj.core.api.Assertions
                .assertThatThrownBy(() -> new ChromeTraceReader().read(file, ImportProgress.NONE))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("events=23")
                .hasMessageContaining("slices=0");
    }

    /** case,file,kind,definition,metric,value,tolerance,provenance; a definition may be quoted. */
    @TestFactory
    Stream<DynamicTest> expectedTotals() throws IOException {
        Path expected = Cases.shared("expected.csv");
        List<String[]> rows = Files.readAllLines(expected)
                .stream()
                .map(line -> line.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)"))
                .filter(RealTracesTest::isOurs)
                .toList();
        assertThat(rows).hasSizeGreaterThan(200);
        return rows.stream()
                .map(row -> DynamicTest.dynamicTest(row[0] + "/" + row[1] + ": " + row[3] + " " + row[4],
                        () -> check(expected.resolveSibling(row[0]).resolve(row[1]), row)));
    }

    private static boolean isOurs(String[] row) {
        boolean json = row[1].endsWith(".json") || row[1].endsWith(".json.gz");
        return json && (OVERLAP.contains(row[3]) && !row[4].equals("Preparing")
                || row[3].equals("count") && COUNTS.contains(row[4]));
    }

    private void check(Path file, String[] row) throws IOException {
        if (!read.containsKey(file)) {
            read.put(file, new ChromeTraceReader().read(file, ImportProgress.NONE));
        }
        Trace trace = read.get(file);
        List<RankOverlap> ranks = RankOverlap.of(trace);
        assertThat(ranks).hasSizeLessThanOrEqualTo(1);
        RankOverlap rank = ranks.isEmpty() ? new RankOverlap("", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) : ranks.getFirst();
        double value = switch (row[4]) {
            case "Computing" -> rank.computingNs() / 1e3;
            case "Communication" -> rank.communicationNs() / 1e3;
            case "Overlapped" -> rank.overlappedNs() / 1e3;
            case "Communication(Not Overlapped)" -> rank.exposedNs() / 1e3;
            case "Memory" -> rank.copyingNs() / 1e3;
            case "Free" -> rank.freeNs() / 1e3;
            case "Window", "Stage" -> rank.windowNs() / 1e3;
            case "n_comp" -> count(trace, Category.COMPUTING);
            case "n_comm" -> count(trace, Category.COMMUNICATION);
            case "n_mem" -> count(trace, Category.COPYING);
            default -> throw new AssertionError("unknown metric " + row[4]);
        };
        assertThat(value).as(String.join(",", row))
                .isCloseTo(Double.parseDouble(row[5]),
                        within(Double.parseDouble(row[6]) + 1e-9 * Math.abs(value)));
    }

    private static long count(Trace trace, Category category) {
        return trace.lanes()
                .stream()
                .mapToLong(lane -> java.util.stream.IntStream.range(0, lane.size())
                        .filter(i -> lane.category(i) == category)
                        .count())
                .sum();
    }
}
