package io.throughputoptimizer.api;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonFormat;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;

/// A list that is written as a plain value when it has one element, and read so too.
@JacksonAnnotationsInside
@JsonDeserialize(using = OneOrMore.OneOrMoreReader.class)
@JsonFormat(with = JsonFormat.Feature.WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
public @interface OneOrMore {
    /// Reads a list, or a plain value as the list of it, so that a plain value which cannot be read is
    /// refused as such.
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
}
