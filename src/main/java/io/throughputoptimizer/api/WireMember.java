package io.throughputoptimizer.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import jakarta.validation.constraints.Size;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A component of a record of the API.
///
/// @param source the record component
/// @param name name in the API
public record WireMember(RecordComponent source, String name) {
    private static final String REQUEST = "Request";

    private static final ClassValue<List<WireMember>> KNOWN = new ClassValue<>() {
        @Override
        protected List<WireMember> computeValue(Class<?> type) {
            return type.isRecord()
                    ? Arrays.stream(type.getRecordComponents())
                            .map(WireMember::of)
                            .toList()
                    : List.of();
        }
    };

    /// Copies of the records of a class.
    ///
    /// @param places places of the components by name
    private record Copies(List<WireMember> components, Map<String, Integer> places, Constructor<?> constructor) {
        int place(String component) {
            return Objects.requireNonNull(places.get(component), component);
        }

        static Copies of(Class<?> type) {
            List<WireMember> components = WireMember.components(type);
            Map<String, Integer> places = new HashMap<>();
            components.forEach(component -> places.put(component.component(), places.size()));
            try {
                return new Copies(
                        components,
                        Map.copyOf(places),
                        type.getDeclaredConstructor(components.stream()
                                .map(component -> component.source.getType())
                                .toArray(Class<?>[]::new)));
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException("cannot copy " + type, e);
            }
        }
    }

    private static final ClassValue<Copies> COPIES = new ClassValue<>() {
        @Override
        protected Copies computeValue(Class<?> type) {
            return Copies.of(type);
        }
    };

    /// Returns the components of a record, in order; none of any other class.
    public static List<WireMember> components(Class<?> type) {
        return KNOWN.get(type);
    }

    /// Returns the fields of a record in JSON, in order: its components, and those of its unwrapped components.
    public static List<WireMember> of(Class<?> type) {
        return components(type).stream()
                .flatMap(member -> member.isUnwrapped() ? of(member.source.getType()).stream() : Stream.of(member))
                .toList();
    }

    /// Returns whether a record is a request, so that fields which are never null can still be left out.
    public static boolean isRequest(Class<?> type) {
        return type.getSimpleName().endsWith(REQUEST);
    }

    /// Returns a copy of a record with other values of some components.
    ///
    /// @param changes names of components, each followed by its new value
    public static <T extends Record> T copy(T holder, @Nullable Object... changes) {
        Class<? extends Record> type = holder.getClass();
        Copies copies = COPIES.get(type);
        @Nullable Object[] values = new @Nullable Object[copies.components.size()];
        for (int place = 0; place < values.length; place++) {
            values[place] = copies.components.get(place).valueIn(holder);
        }
        for (int change = 0; change < changes.length; change += 2) {
            values[copies.place(String.valueOf(changes[change]))] = changes[change + 1];
        }
        try {
            @SuppressWarnings("unchecked") // The class is that of the holder.
            T copy = (T) copies.constructor.newInstance(values);
            return copy;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot copy " + type, e);
        }
    }

    private static WireMember of(RecordComponent component) {
        JsonProperty given = component.getAccessor().getAnnotation(JsonProperty.class);
        return new WireMember(
                component,
                given == null || given.value().isEmpty() ? WireFormat.memberName(component.getName()) : given.value());
    }

    private boolean has(Class<? extends Annotation> annotation) {
        return source.getAccessor().isAnnotationPresent(annotation);
    }

    private boolean isUnwrapped() {
        return has(JsonUnwrapped.class);
    }

    /// Returns the name of the record component.
    public String component() {
        return source.getName();
    }

    /// Returns whether a valid document must have the field.
    public boolean isRequired() {
        return isRequest(source.getDeclaringRecord())
                ? has(Required.class)
                : !source.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    /// Returns whether the field is a plain value or a list of such.
    public boolean isOneOrMore() {
        return has(OneOrMore.class);
    }

    /// Returns the pointer of this field in a holder. The fields of an unwrapped component belong to the holder.
    public String under(String pointer) {
        return isUnwrapped() ? pointer : pointer + "/" + name;
    }

    public boolean isList() {
        return List.class.isAssignableFrom(source.getType());
    }

    /// Returns the maximum length of the list.
    public int longest() {
        Size size = source.getAccessor().getAnnotation(Size.class);
        return size == null ? Bounds.LIST : size.max();
    }

    /// Returns whether the list is sent as one plain value, without elements to point at.
    public boolean isPlain(List<?> value) {
        return value.size() == 1 && isOneOrMore();
    }

    public @Nullable Object valueIn(Record holder) {
        try {
            return source.getAccessor().invoke(holder);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + source, e);
        }
    }
}
