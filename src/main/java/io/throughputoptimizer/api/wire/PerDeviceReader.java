package io.throughputoptimizer.api.wire;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.std.StdDeserializer;

/// Reads one value, or an object of them by name.
final class PerDeviceReader extends StdDeserializer<PerDevice<?>> {
    private final @Nullable JavaType type;

    PerDeviceReader() {
        this(null);
    }

    private PerDeviceReader(@Nullable JavaType type) {
        super(PerDevice.class);
        this.type = type;
    }

    @Override
    public ValueDeserializer<?> createContextual(DeserializationContext context, BeanProperty property) {
        return new PerDeviceReader(property.getType().containedTypeOrUnknown(0));
    }

    @Override
    public PerDevice<?> deserialize(JsonParser parser, DeserializationContext context) {
        if (parser.hasToken(JsonToken.START_OBJECT)) {
            Map<String, ?> each = context.readValue(
                    parser,
                    context.getTypeFactory().constructMapType(Map.class, context.constructType(String.class), type));
            return new PerDevice<>(null, each);
        }
        return PerDevice.ofAll(context.readValue(parser, type));
    }
}
