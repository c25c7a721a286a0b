package io.throughputoptimizer.api.trace;

import io.throughputoptimizer.api.trace.LengthColumns.TimeColumn;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;

/// A JSON file that is read with one value in memory at a time: objects one after another, or one list of them.
final class JsonTraceDocument {
    private JsonTraceDocument() {}

    /// @param named absent to go by what is known
    /// @param time absent to go by what is known
    /// @return where lengths were found; none if there is no object
    static @Nullable LengthColumns read(
            InputStream stream, @Nullable LengthColumns named, @Nullable TimeColumn time, TraceCounts counts)
            throws IOException {
        JsonTraceObject objects = new JsonTraceObject(named, time);
        try (JsonParser parser = JsonTraceObject.JSON.createParser(stream)) {
            try {
                read(parser, objects, counts);
            } catch (StreamConstraintsException _) {
                throw BrokenTrace.at(line(parser), JsonTraceObject.BEYOND_BOUNDS);
            } catch (JacksonIOException e) {
                throw e.getCause();
            } catch (JacksonException _) {
                throw BrokenTrace.at(line(parser), "is no JSON");
            }
        }
        return objects.columns();
    }

    private static void read(JsonParser parser, JsonTraceObject objects, TraceCounts counts) {
        boolean listed = false;
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (token == JsonToken.START_OBJECT) {
                objects.read(parser, line(parser), counts);
            } else if (token == JsonToken.START_ARRAY && !listed) {
                listed = true;
            } else if (token == JsonToken.END_ARRAY) {
                listed = false;
            } else {
                throw BrokenTrace.at(line(parser), "has something that is no object");
            }
        }
    }

    private static long line(JsonParser parser) {
        return parser.currentTokenLocation().getLineNr();
    }
}
