package io.throughputoptimizer.api.sweep;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A member of a document, by the names on the way to it (RFC 6901).
record Place(List<String> names) {
    private static final String HIGHEST_INDEX = "[0-9]{1,6}";

    Place {
        names = List.copyOf(names);
    }

    /// @throws IllegalArgumentException saying what is wrong with a pointer, for people
    static Place of(String pointer) {
        if (!pointer.startsWith("/") || pointer.length() == 1) {
            throw new IllegalArgumentException("a JSON pointer to a member is needed, as /num_devices");
        }
        List<String> names = new ArrayList<>();
        for (String name : pointer.substring(1).split("/", -1)) {
            if (name.replace("~0", "").replace("~1", "").contains("~")) {
                throw new IllegalArgumentException("~ is followed by 0 or 1 in a JSON pointer");
            }
            names.add(name.replace("~1", "/").replace("~0", "~"));
        }
        return new Place(names);
    }

    Place child(String name) {
        List<String> longer = new ArrayList<>(names);
        longer.add(name);
        return new Place(longer);
    }

    /// Puts a value there; objects on the way are made.
    ///
    /// @param document modifiable document of maps and lists
    /// @throws IllegalArgumentException saying why there is no such place, for people
    void put(Map<String, @Nullable Object> document, @Nullable Object value) {
        Object holder = document;
        for (int depth = 0; depth < names.size() - 1; depth++) {
            holder = inside(holder, names.get(depth));
        }
        String last = names.getLast();
        switch (holder) {
            case Map<?, ?> map -> object(map).put(last, value);
            case List<?> list -> list(list).set(index(last, list), value);
            default -> throw new IllegalArgumentException("there is no place for it: what holds it is a plain value");
        }
    }

    private static Object inside(Object holder, String name) {
        Object found = switch (holder) {
            case Map<?, ?> map -> map.get(name);
            case List<?> list -> list.get(index(name, list));
            default ->
                throw new IllegalArgumentException("there is no place for it: " + name + " lies in a plain value");
        };
        if (found != null) {
            return found;
        }
        if (holder instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> made = new LinkedHashMap<>();
            object(map).put(name, made);
            return made;
        }
        throw new IllegalArgumentException("there is no place for it: element " + name + " is null");
    }

    private static int index(String name, List<?> list) {
        if (!name.matches(HIGHEST_INDEX) || Integer.parseInt(name) >= list.size()) {
            throw new IllegalArgumentException(
                    "there is no place for it: a list of " + list.size() + " has no element " + name);
        }
        return Integer.parseInt(name);
    }

    @SuppressWarnings("unchecked") // Names of members are texts.
    private static Map<String, @Nullable Object> object(Map<?, ?> map) {
        return (Map<String, @Nullable Object>) map;
    }

    @SuppressWarnings("unchecked") // Any value may stand in a document's list.
    private static List<@Nullable Object> list(List<?> list) {
        return (List<@Nullable Object>) list;
    }
}
