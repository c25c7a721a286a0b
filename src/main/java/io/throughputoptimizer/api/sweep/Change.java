package io.throughputoptimizer.api.sweep;

import io.throughputoptimizer.api.WireFormat;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The change that a value of an axis makes to the base request.
public sealed interface Change {

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

    /// Labels of axis values in rows and tables: plain values as they are, whatever their Java type; lists of
    /// one as their element; others as JSON.
    public static final class Coordinates {
        private static final int LONGEST = 200;

        private Coordinates() {}

        static Object shown(@Nullable Object value) {
            return switch (value) {
                case Integer number -> (long) number;
                case Long number -> number;
                case Double number -> number;
                case Boolean truth -> truth;
                case String text -> cut(text);
                case null -> "null";
                case List<?> list
                when list.size() == 1 && !(list.getFirst() instanceof Collection) -> shown(list.getFirst());
                default -> cut(WireFormat.write(value));
            };
        }

        /// A value as callers write it in a query: whole numbers without a fraction, however they were given.
        public static String text(Object shown) {
            return shown instanceof Double number && Double.isFinite(number)
                    ? new BigDecimal(number.toString()).stripTrailingZeros().toPlainString()
                    : String.valueOf(shown);
        }

        private static String cut(String text) {
            return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 3) + "...";
        }
    }
}
