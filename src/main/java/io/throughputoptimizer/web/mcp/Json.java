package io.throughputoptimizer.web.mcp;

import io.throughputoptimizer.api.WireFormat;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A value of a JSON document.
///
/// @param value map, list, string, number or boolean; null if absent
public record Json(@Nullable Object value) {
    /// Returns the JSON of a response.
    public static Json of(Object response) {
        return new Json(WireFormat.read(WireFormat.write(response), Object.class));
    }

    /// Returns the member at a path of names; absent if there is none.
    public Json at(String... path) {
        Object found = value;
        for (String name : path) {
            found = found instanceof Map<?, ?> members ? members.get(name) : null;
        }
        return new Json(found);
    }

    /// Returns the elements of the lists at a path of names, where each name but the last leads to a list of objects.
    public Stream<Json> each(String... path) {
        Stream<Json> found = Stream.of(this);
        for (String name : path) {
            found = found.flatMap(one ->
                    one.at(name).value instanceof List<?> list ? list.stream().map(Json::new) : Stream.empty());
        }
        return found;
    }

    public boolean isPresent() {
        return value != null;
    }

    /// Returns the value as text; empty if absent.
    public String text() {
        return value == null ? "" : value.toString();
    }

    /// Returns the number; null if the value is none.
    public @Nullable Double number() {
        return value instanceof Number number ? (Double) number.doubleValue() : null;
    }

    /// Returns a copy of an object with some members, in their order in the object.
    Map<String, Object> keep(Collection<String> names) {
        Map<String, Object> kept = new LinkedHashMap<>();
        members().forEach((name, member) -> {
            if (names.contains(name)) {
                kept.put(name, member);
            }
        });
        return kept;
    }

    /// Returns a copy of an object that can be changed; empty for other values.
    public Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> object) {
            object.forEach((name, member) -> {
                if (member != null) {
                    members.put(String.valueOf(name), member);
                }
            });
        }
        return members;
    }
}
