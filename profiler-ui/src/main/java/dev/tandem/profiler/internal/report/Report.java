package dev.tandem.profiler.internal.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.tandem.profiler.analysis.RankOverlap;
import dev.tandem.profiler.analysis.Verdict;
import dev.tandem.profiler.trace.Trace;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What there is to say about one trace.
 *
 * @param trace the trace
 * @param ranks its analysis
 */
public record Report(Trace trace, List<RankOverlap> ranks) {

    private static final String ROW = "%-20s %12s %12s %14s %12s %12s %12s %12s %12s %12s%n";

    /** Analyses a trace. */
    public static Report of(Trace trace) {
        return new Report(trace, RankOverlap.of(trace));
    }

    /** Writes a verdict, a table of milliseconds and the notes. */
    public String text() {
        StringBuilder text = new StringBuilder();
        text.append(trace.title())
                .append(": ")
                .append(trace.slices())
                .append(" slices in ")
                .append(trace.lanes().size())
                .append(" lanes")
                .append(System.lineSeparator());
        text.append(Verdict.of(ranks)).append(System.lineSeparator());
        if (!ranks.isEmpty()) {
            text.append(row("times in ms", "window", "computing", "communication", "overlapped", "exposed", "copying",
                    "waiting", "free", "hidden"));
        }
        for (RankOverlap rank : ranks) {
            text.append(row(rank.rank(), ms(rank.windowNs()), ms(rank.computingNs()), ms(rank.communicationNs()),
                    ms(rank.overlappedNs()), ms(rank.exposedNs()), ms(rank.copyingNs()), ms(rank.waitingNs()),
                    ms(rank.freeNs()), hidden(rank)));
        }
        for (Map.Entry<String, Long> note : trace.notes().entrySet()) {
            text.append("  ").append(note.getValue()).append(' ').append(note.getKey()).append(System.lineSeparator());
        }
        return text.toString();
    }

    private static String row(Object... cells) {
        return String.format(Locale.ROOT, ROW, cells);
    }

    private static String ms(long ns) {
        return String.format(Locale.ROOT, "%.3f", ns / 1e6);
    }

    /** Writes the hidden share of a rank, or a dash if it does not communicate. */
    public static String hidden(RankOverlap rank) {
        return rank.hiddenShare().isPresent() ? Verdict.percent(rank.hiddenShare().getAsDouble()) : "-";
    }

    /** Writes reports as one JSON object; times are integer nanoseconds. */
    public static String json(List<Report> reports) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
            json.writeStartObject();
            json.writeNumberField("version", 1);
            json.writeArrayFieldStart("traces");
            for (Report report : reports) {
                report.write(json);
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new AssertionError("a string takes every write", e);
        }
        return text.toString();
    }

    private void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("title", trace.title());
        json.writeStringField("verdict", Verdict.of(ranks));
        json.writeNumberField("slices", trace.slices());
        json.writeArrayFieldStart("ranks");
        for (RankOverlap rank : ranks) {
            json.writeStartObject();
            json.writeStringField("rank", rank.rank());
            json.writeNumberField("windowNs", rank.windowNs());
            json.writeNumberField("computingNs", rank.computingNs());
            json.writeNumberField("communicationNs", rank.communicationNs());
            json.writeNumberField("overlappedNs", rank.overlappedNs());
            json.writeNumberField("exposedNs", rank.exposedNs());
            json.writeNumberField("copyingNs", rank.copyingNs());
            json.writeNumberField("copyingOnlyNs", rank.copyingOnlyNs());
            json.writeNumberField("waitingNs", rank.waitingNs());
            json.writeNumberField("waitingOnlyNs", rank.waitingOnlyNs());
            json.writeNumberField("freeNs", rank.freeNs());
            if (rank.hiddenShare().isPresent()) {
                json.writeNumberField("hiddenShare", rank.hiddenShare().getAsDouble());
            } else {
                json.writeNullField("hiddenShare");
            }
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeObjectFieldStart("notes");
        for (Map.Entry<String, Long> note : trace.notes().entrySet()) {
            json.writeNumberField(note.getKey(), note.getValue());
        }
        json.writeEndObject();
        json.writeEndObject();
    }
}
