package io.throughputoptimizer.api.request;

import io.throughputoptimizer.api.request.TraceReader.Trace;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/// Lines of JSON objects: both lengths are read, other members passed over.
final class JsonTraceLine implements TraceReader.LineReader {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final int MISSING = -1;

    @Override
    public void read(TraceLines line, Trace counts) {
        int input = MISSING;
        int output = MISSING;
        try (JsonParser parser = JSON.createParser(line.buffer(), line.offset(), line.length())) {
            require(parser.nextToken() == JsonToken.START_OBJECT, line, "is no JSON object");
            for (JsonToken name = parser.nextToken(); name == JsonToken.PROPERTY_NAME; name = parser.nextToken()) {
                String member = parser.currentName();
                JsonToken value = parser.nextToken();
                if (member.equals(TraceReader.INPUT)) {
                    input = tokens(line, member, value, parser);
                } else if (member.equals(TraceReader.OUTPUT)) {
                    output = tokens(line, member, value, parser);
                } else {
                    parser.skipChildren();
                }
            }
            require(parser.nextToken() == null, line, "has something after its object");
        } catch (JacksonException _) {
            throw BrokenTrace.at(line.number(), "is no JSON object");
        }
        require(input != MISSING, line, "lacks " + TraceReader.INPUT);
        require(output != MISSING, line, "lacks " + TraceReader.OUTPUT);
        counts.add(input, output);
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
