package io.throughputoptimizer.api.request;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;

/// Reads what plans are ranked by: an object, or its name alone.
final class ObjectiveReader extends StdDeserializer<ObjectiveRequest> {
    ObjectiveReader() {
        super(ObjectiveRequest.class);
    }

    @Override
    public ObjectiveRequest deserialize(JsonParser parser, DeserializationContext context) {
        return parser.hasToken(JsonToken.VALUE_STRING)
                ? new ObjectiveRequest(context.readValue(parser, ObjectiveRequest.Name.class), null, null, null)
                : context.readValue(parser, ObjectiveRequest.class);
    }
}
