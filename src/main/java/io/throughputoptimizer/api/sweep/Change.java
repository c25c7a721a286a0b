package io.throughputoptimizer.api.sweep;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The change that a value of an axis makes to the base request.
sealed interface Change {

    /// Changes a document of maps and lists.
    ///
    /// @throws IllegalArgumentException saying why it cannot, for people
    void apply(Map<String, @Nullable Object> document);

    /// Members that it sets.
    Stream<Place> places();

    /// Returns the label of the value in rows and tables.
    Object shown();

    /// Sets one member.
    record Set(Place place, @Nullable Object value) implements Change {
        @Override
        public void apply(Map<String, @Nullable Object> document) {
            place.put(document, copy(value));
        }

        @Override
        public Stream<Place> places() {
            return Stream.of(place);
        }

        @Override
        public Object shown() {
            return Coordinates.shown(value);
        }
    }

    /// Merges an object (RFC 7396).
    record Merge(Map<String, @Nullable Object> patch) implements Change {
        @Override
        public void apply(Map<String, @Nullable Object> document) {
            merge(document, patch);
        }

        private static void merge(Map<String, @Nullable Object> target, Map<?, ?> patch) {
            patch.forEach((key, value) -> {
                String name = String.valueOf(key);
                if (value == null) {
                    target.remove(name);
                } else if (value instanceof Map<?, ?> object) {
                    Map<String, @Nullable Object> made = new LinkedHashMap<>();
                    if (target.get(name) instanceof Map<?, ?> there) {
                        there.forEach((member, kept) -> made.put(String.valueOf(member), kept));
                    }
                    merge(made, object);
                    target.put(name, made);
                } else {
                    target.put(name, copy(value));
                }
            });
        }

        @Override
        public Stream<Place> places() {
            return places(new Place(List.of()), patch);
        }

        private static Stream<Place> places(Place holder, Map<?, ?> patch) {
            return patch.entrySet().stream().flatMap(member -> {
                Place place = holder.child(String.valueOf(member.getKey()));
                return member.getValue() instanceof Map<?, ?> object && !object.isEmpty()
                        ? places(place, object)
                        : Stream.of(place);
            });
        }

        /// Returns the single value set by this change, or the merged object.
        @Override
        public Object shown() {
            Object value = patch;
            while (value instanceof Map<?, ?> object && object.size() == 1) {
                value = object.values().iterator().next();
            }
            return value instanceof Map<?, ?> ? Coordinates.shown(patch) : Coordinates.shown(value);
        }
    }

    /// Returns a copy, so that changes to one do not affect the other.
    static @Nullable Object copy(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> map -> copyOf(map);
            case List<?> list -> {
                List<@Nullable Object> copied = new ArrayList<>(list.size());
                list.forEach(element -> copied.add(copy(element)));
                yield copied;
            }
            case null, default -> value;
        };
    }

    static Map<String, @Nullable Object> copyOf(Map<?, ?> map) {
        Map<String, @Nullable Object> copied = new LinkedHashMap<>();
        map.forEach((name, value) -> copied.put(String.valueOf(name), copy(value)));
        return copied;
    }
}
