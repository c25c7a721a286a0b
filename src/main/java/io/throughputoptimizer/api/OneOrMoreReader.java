package io.throughputoptimizer.api;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;

/// Reads a list, or a plain value as the list of it, so that a plain value which cannot be read is refused as such.
final class OneOrMoreReader extends ValueDeserializer<List<?>> {
    private final @Nullable ValueDeserializer<?> list;
    private final @Nullable ValueDeserializer<?> element;

    OneOrMoreReader() {
        this(null, null);
    }

    private OneOrMoreReader(@Nullable ValueDeserializer<?> list, @Nullable ValueDeserializer<?> element) {
        this.list = list;
        this.element = element;
    }

    @Override
    public ValueDeserializer<?> createContextual(DeserializationContext context, BeanProperty property) {
        JavaType type = property.getType();
        return new OneOrMoreReader(
                context.findContextualValueDeserializer(type, property),
                context.findContextualValueDeserializer(type.getContentType(), property));
    }

    @Override
    public List<?> deserialize(JsonParser parser, DeserializationContext context) {
        return parser.isExpectedStartArrayToken()
                ? (List<?>) requireNonNull(list).deserialize(parser, context)
                : List.of(requireNonNull(element).deserialize(parser, context));
    }
}
