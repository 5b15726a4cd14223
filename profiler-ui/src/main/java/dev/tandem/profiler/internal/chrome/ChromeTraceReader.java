package dev.tandem.profiler.internal.chrome;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.tandem.core.UsageException;
import dev.tandem.profiler.trace.ImportProgress;
import dev.tandem.profiler.trace.Trace;
import dev.tandem.profiler.trace.TraceReader;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads Chrome trace-event JSON as a stream, an array of events or an object with {@code traceEvents}, packed by gzip or
 * not, whatever the name of the file. A file that is cut short gives what came before the cut, and says so.
 */
public final class ChromeTraceReader implements TraceReader {

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final JsonFactory json = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .build();

    /** Makes a reader. */
    public ChromeTraceReader() {
        // the factory is all there is
    }

    @Override
    public Trace read(Path file, ImportProgress progress) throws IOException {
        String title = String.valueOf(file.getFileName());
        EventCollector collector = new EventCollector();
        boolean[] ended = new boolean[1];
        try (InputStream stored = new ReportingStream(Files.newInputStream(file), Files.size(file), progress);
                InputStream bytes = unpacked(stored, title);
                JsonParser parser = json.createParser(watched(bytes, ended))) {
            readAll(parser, collector);
        } catch (EOFException e) {
            damaged(title, collector, "the file is cut short", e);
        } catch (JacksonException | ZipException e) {
            damaged(title, collector, ended[0] ? "the file is cut short" : "the file is damaged", e);
        }
        Trace trace = collector.build(title);
        if (trace.slices() == 0) {
            throw new UsageException(nothing(title, collector));
        }
        return trace;
    }

    /** A reader that notes when the parser asked for more than there is, for which Jackson has several exceptions. */
    private static Reader watched(InputStream bytes, boolean[] ended) {
        return new FilterReader(new InputStreamReader(bytes, StandardCharsets.UTF_8)) {
            @Override
            public int read(char[] buffer, int offset, int length) throws IOException {
                int count = super.read(buffer, offset, length);
                ended[0] |= count < 0;
                return count;
            }
        };
    }

    private static void damaged(String title, EventCollector collector, String what, IOException cause) {
        if (collector.events() == 0) {
            throw new UsageException(title + ": not a Chrome trace, " + what
                    + " before its first event; give a JSON array of events or an object with traceEvents", cause);
        }
        collector.notes().count(what + " after " + collector.events() + " events, which were kept");
    }

    private static String nothing(String title, EventCollector collector) {
        StringBuilder holds = new StringBuilder();
        for (Map.Entry<String, Long> note : collector.notes().counts().entrySet()) {
            holds.append(holds.isEmpty() ? " (" : "; ").append(note.getValue()).append(' ').append(note.getKey());
        }
        return title + ": no slice in this trace: events=" + collector.events() + holds + (holds.isEmpty() ? "" : ")")
                + ", slices=0; record it again with the profiler switched on";
    }

    private static InputStream unpacked(InputStream stored, String title) throws IOException {
        BufferedInputStream bytes = new BufferedInputStream(stored, 1 << 16);
        bytes.mark(4);
        byte[] magic = bytes.readNBytes(4);
        bytes.reset();
        if (magic.length == 0) {
            throw new UsageException(title + ": the file is empty: lengthBytes=0; record it again");
        }
        if (magic.length > 1 && magic[0] == 'P' && magic[1] == 'K') {
            throw new UsageException(title + ": a zip archive, not a trace; unpack it and give the file inside");
        }
        if (magic.length > 1 && magic[0] == (byte) 0x1F && magic[1] == (byte) 0x8B) {
            return withoutMark(new BufferedInputStream(new GZIPInputStream(bytes, 1 << 16), 1 << 16));
        }
        return withoutMark(bytes);
    }

    private static InputStream withoutMark(BufferedInputStream bytes) throws IOException {
        bytes.mark(BYTE_ORDER_MARK.length);
        if (!Arrays.equals(bytes.readNBytes(BYTE_ORDER_MARK.length), BYTE_ORDER_MARK)) {
            bytes.reset();
        }
        return bytes;
    }

    private static void readAll(JsonParser parser, EventCollector collector) throws IOException {
        JsonToken first = parser.nextToken();
        if (first == JsonToken.START_ARRAY) {
            readEvents(parser, collector);
        } else if (first == JsonToken.START_OBJECT) {
            readObject(parser, collector);
        }
    }

    private static void readObject(JsonParser parser, EventCollector collector) throws IOException {
        while (next(parser) != JsonToken.END_OBJECT) {
            String field = parser.currentName();
            JsonToken value = next(parser);
            if (field.equals("traceEvents") && value == JsonToken.START_ARRAY) {
                readEvents(parser, collector);
            } else if (field.equals("distributedInfo") && value == JsonToken.START_OBJECT) {
                readDistributed(parser, collector);
            } else {
                skip(parser);
            }
        }
    }

    private static void readDistributed(JsonParser parser, EventCollector collector) throws IOException {
        String rank = null;
        while (next(parser) != JsonToken.END_OBJECT) {
            String field = parser.currentName();
            rank = next(parser) == JsonToken.VALUE_NUMBER_INT && field.equals("rank") ? parser.getText() : rank;
            skip(parser);
        }
        collector.distributedRank(rank);
    }

    private static void readEvents(JsonParser parser, EventCollector collector) throws IOException {
        Event event = new Event();
        for (JsonToken token = next(parser); token != JsonToken.END_ARRAY; token = next(parser)) {
            if (token == JsonToken.START_OBJECT) {
                readEvent(parser, event);
                collector.add(event);
            } else {
                skip(parser);
                collector.notes().count("items of the event array that are no events, skipped");
            }
        }
    }

    private static void readEvent(JsonParser parser, Event event) throws IOException {
        event.clear();
        while (next(parser) != JsonToken.END_OBJECT) {
            String field = parser.currentName();
            JsonToken value = next(parser);
            if (value == JsonToken.START_OBJECT && field.equals("args")) {
                readArgs(parser, event);
                continue;
            }
            String text = value.isScalarValue() && value != JsonToken.VALUE_NULL ? parser.getText() : null;
            switch (field) {
                case "ph" -> event.phase = text;
                case "name" -> event.name = text;
                case "cat" -> event.category = text;
                case "pid" -> event.process = text;
                case "tid" -> event.thread = text;
                case "ts" -> event.start = text;
                case "dur" -> event.duration = text;
                default -> {
                    // ids, bindings, stacks: not needed yet
                }
            }
            skip(parser);
        }
    }

    private static void readArgs(JsonParser parser, Event event) throws IOException {
        while (next(parser) != JsonToken.END_OBJECT) {
            String field = parser.currentName();
            boolean text = next(parser) == JsonToken.VALUE_STRING;
            if (text && field.equals("name")) {
                event.givenName = parser.getText();
            } else if (text && field.equals("Task Type")) {
                event.taskType = parser.getText();
            }
            skip(parser);
        }
    }

    /** Gives the next token; the end of the file is never one, since something is still open. */
    private static JsonToken next(JsonParser parser) throws IOException {
        JsonToken token = parser.nextToken();
        if (token == null) {
            throw new EOFException("the JSON ends while something is open");
        }
        return token;
    }

    /** Passes the rest of the value, nested ones too. */
    private static void skip(JsonParser parser) throws IOException {
        parser.skipChildren();
        if (parser.currentToken() == null) {
            throw new EOFException("the JSON ends while something is open");
        }
    }
}
