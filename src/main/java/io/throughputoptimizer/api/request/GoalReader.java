package io.throughputoptimizer.api.request;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;

/// Reads what plans are ranked by: an object, or its name alone.
final class GoalReader extends StdDeserializer<GoalRequest> {
    GoalReader() {
        super(GoalRequest.class);
    }

    @Override
    public GoalRequest deserialize(JsonParser parser, DeserializationContext context) {
        return parser.hasToken(JsonToken.VALUE_STRING)
                ? new GoalRequest(context.readValue(parser, GoalRequest.Name.class), null, null, null)
                : context.readValue(parser, GoalRequest.class);
    }
}
