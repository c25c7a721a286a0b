package io.throughputoptimizer.api.wire;

import io.throughputoptimizer.api.WireFormat;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;

/// Reads a latency limit: a number, or `"inf"` for none.
public final class LimitReader extends StdDeserializer<Double> {
    LimitReader() {
        super(Double.class);
    }

    @Override
    public Double deserialize(JsonParser parser, DeserializationContext context) {
        if (parser.currentToken().isNumeric()) {
            return parser.getString().equals(WireFormat.YAML_INFINITY)
                    ? Double.POSITIVE_INFINITY
                    : parser.getDoubleValue();
        }
        if (parser.hasToken(JsonToken.VALUE_STRING)) {
            String text = parser.getString();
            if (text.equals(WireFormat.INFINITE)) {
                return Double.POSITIVE_INFINITY;
            }
            throw context.weirdStringException(text, Double.class, "a number or \"inf\" is needed");
        }
        return (Double) context.handleUnexpectedToken(Double.class, parser);
    }
}
