package io.throughputoptimizer.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A member of a record of the API, for those who describe it.
///
/// @param source the record component
/// @param name name of the component in the API
/// @param required whether a valid document must have it
/// @param oneOrMore whether it is a plain value or a list of such
public record WireMember(RecordComponent source, String name, boolean required, boolean oneOrMore) {
    private static final String REQUEST = "Request";

    /// Name of the record component.
    public String component() {
        return source.getName();
    }

    /// Members of a record, in order.
    public static List<WireMember> of(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .flatMap(component -> members(component, isRequest(type)))
                .toList();
    }

    /// Returns whether a record is a request, so that fields which are never null can still be left out.
    public static boolean isRequest(Class<?> type) {
        return type.getSimpleName().endsWith(REQUEST);
    }

    private static Stream<WireMember> members(RecordComponent component, boolean request) {
        return component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)
                ? of(component.getType()).stream()
                : Stream.of(new WireMember(
                        component,
                        name(component),
                        request ? isRequired(component) : !isNullable(component),
                        component.getAccessor().isAnnotationPresent(OneOrMore.class)));
    }

    private static String name(RecordComponent component) {
        JsonProperty given = component.getAccessor().getAnnotation(JsonProperty.class);
        return given == null || given.value().isEmpty() ? WireFormat.memberName(component.getName()) : given.value();
    }

    private static boolean isRequired(RecordComponent component) {
        return component.getAccessor().isAnnotationPresent(Required.class);
    }

    private static boolean isNullable(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }
}
