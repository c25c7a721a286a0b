package io.throughputoptimizer.api.trace;

import io.throughputoptimizer.api.trace.LengthColumns.TimeColumn;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamConstraintsException;

/// Lines of JSON objects.
final class JsonTraceLine implements TraceReader.LineReader {
    private final JsonTraceObject objects;

    /// @param named absent to go by what is known
    /// @param time absent to go by what is known
    JsonTraceLine(@Nullable LengthColumns named, @Nullable TimeColumn time) {
        objects = new JsonTraceObject(named, time);
    }

    @Override
    public void read(TraceLines line, TraceCounts counts) {
        try (JsonParser parser = JsonTraceObject.JSON.createParser(line.buffer(), line.offset(), line.length())) {
            require(parser.nextToken() == JsonToken.START_OBJECT, line, "is no JSON object");
            objects.read(parser, line.number(), counts);
            require(parser.nextToken() == null, line, "has something after its object");
        } catch (StreamConstraintsException _) {
            throw BrokenTrace.at(line.number(), JsonTraceObject.BEYOND_BOUNDS);
        } catch (JacksonException _) {
            throw BrokenTrace.at(line.number(), "is no JSON object");
        }
    }

    @Override
    public @Nullable LengthColumns columns() {
        return objects.columns();
    }

    private static void require(boolean kept, TraceLines line, String fault) {
        if (!kept) {
            throw BrokenTrace.at(line.number(), fault);
        }
    }
}
