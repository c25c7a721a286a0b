package io.throughputoptimizer.api.request;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;

/// Reads a latency limit: a number, or `"inf"` for none.
final class LimitReader extends StdDeserializer<Double> {
    static final String UNLIMITED = "inf";

    /// A number to YAML, but not to the parser.
    private static final String YAML_INFINITY = ".inf";

    LimitReader() {
        super(Double.class);
    }

    @Override
    public Double deserialize(JsonParser parser, DeserializationContext context) {
        if (parser.currentToken().isNumeric()) {
            return parser.getString().equals(YAML_INFINITY) ? Double.POSITIVE_INFINITY : parser.getDoubleValue();
        }
        if (parser.hasToken(JsonToken.VALUE_STRING)) {
            String text = parser.getString();
            if (text.equals(UNLIMITED)) {
                return Double.POSITIVE_INFINITY;
            }
            throw context.weirdStringException(text, Double.class, "a number or \"inf\" is needed");
        }
        return (Double) context.handleUnexpectedToken(Double.class, parser);
    }
}
