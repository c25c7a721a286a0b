package io.throughputoptimizer.api.request;

import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.request.TraceReader.Trace;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/// Lines of JSON objects: both lengths are read, other members passed over within the bounds that requests have too.
final class JsonTraceLine implements TraceReader.LineReader {
    /// Of one line: each is remembered until its object ends.
    private static final int MOST_NAMES = 1_000;

    private static final StreamReadConstraints BOUNDS = StreamReadConstraints.builder()
            .maxNestingDepth(Bounds.NESTING)
            .maxNumberLength(Bounds.DIGITS)
            .maxNameLength(Bounds.NAME)
            .build();
    private static final ObjectMapper JSON = JsonMapper.builder(
                    JsonFactory.builder().streamReadConstraints(BOUNDS).build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final int MISSING = -1;

    @Override
    public void read(TraceLines line, Trace counts) {
        int input = MISSING;
        int output = MISSING;
        int names = 0;
        try (JsonParser parser = JSON.createParser(line.buffer(), line.offset(), line.length())) {
            require(parser.nextToken() == JsonToken.START_OBJECT, line, "is no JSON object");
            for (JsonToken name = parser.nextToken(); name == JsonToken.PROPERTY_NAME; name = parser.nextToken()) {
                names++;
                String member = parser.currentName();
                JsonToken value = parser.nextToken();
                if (member.equals(TraceReader.INPUT)) {
                    input = tokens(line, member, value, parser);
                } else if (member.equals(TraceReader.OUTPUT)) {
                    output = tokens(line, member, value, parser);
                } else {
                    names += skip(value, parser);
                }
                require(names <= MOST_NAMES, line, "has more than " + MOST_NAMES + " names");
            }
            require(parser.nextToken() == null, line, "has something after its object");
        } catch (StreamConstraintsException _) {
            throw BrokenTrace.at(
                    line.number(),
                    "nests deeper than " + Bounds.NESTING + " levels, or has a number of more than " + Bounds.DIGITS
                            + " digits or a name of more than " + Bounds.NAME + " characters");
        } catch (JacksonException _) {
            throw BrokenTrace.at(line.number(), "is no JSON object");
        }
        require(input != MISSING, line, "lacks " + TraceReader.INPUT);
        require(output != MISSING, line, "lacks " + TraceReader.OUTPUT);
        counts.add(input, output);
    }

    /// Passes over the rest of a value.
    ///
    /// @return names in it, or more than there may be
    private static int skip(JsonToken value, JsonParser parser) {
        int names = 0;
        int depth = value.isStructStart() ? 1 : 0;
        while (depth > 0 && names <= MOST_NAMES) {
            JsonToken token = parser.nextToken();
            names += token == JsonToken.PROPERTY_NAME ? 1 : 0;
            depth += token.isStructStart() ? 1 : 0;
            depth -= token.isStructEnd() ? 1 : 0;
        }
        return names;
    }

    /// A text of digits is not a number.
    private static int tokens(TraceLines line, String member, JsonToken value, JsonParser parser) {
        String text = value == JsonToken.VALUE_STRING ? "'" + parser.getString() + "'" : parser.getString();
        return TraceReader.tokens(line.number(), member, text);
    }

    private static void require(boolean kept, TraceLines line, String fault) {
        if (!kept) {
            throw BrokenTrace.at(line.number(), fault);
        }
    }
}
