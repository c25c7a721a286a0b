package io.throughputoptimizer.api.wire;

import com.fasterxml.jackson.annotation.JsonValue;
import io.throughputoptimizer.api.problem.Violation;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;

/// One value for all devices of a request, or one for each by its name.
///
/// @param all absent where each device has its own
/// @param each by name of a device; empty where one value is for all
@JsonDeserialize(using = PerDeviceReader.class)
public record PerDevice<T>(@Nullable T all, Map<String, T> each) implements Composite {
    private static final int LONGEST_NAME = 256;

    public static <T> PerDevice<T> ofAll(T all) {
        return new PerDevice<>(all, Map.of());
    }

    /// As it comes over the wire.
    @JsonValue
    Object wire() {
        return all == null ? each : all;
    }

    public boolean isForEach() {
        return all == null;
    }

    /// That of one device; absent where the request has none for it.
    @Nullable
    public T of(String device) {
        return all == null ? each.get(device) : all;
    }

    /// @param seen takes where each value stands, and the value
    public void forEach(String pointer, BiConsumer<String, T> seen) {
        if (all != null) {
            seen.accept(pointer, all);
        }
        each.forEach((device, value) -> {
            if (value != null) {
                seen.accept(pointer(pointer, device), value);
            }
        });
    }

    /// Where the value of a device stands.
    ///
    /// @param pointer of this value
    public String pointer(String pointer, String device) {
        return all == null ? place(pointer, device) : pointer;
    }

    /// Where the value of a device stands in an object.
    ///
    /// @param pointer of the object
    public static String place(String pointer, String device) {
        return pointer + "/" + device.replace("~", "~0").replace("/", "~1");
    }

    /// What the wire has, in words.
    @Override
    public String toString() {
        return wire().toString();
    }

    /// Names that are too long to look up.
    @Override
    public List<Violation> inconsistencies() {
        return Stream.of(Stream.ofNullable(all), each.values().stream())
                        .flatMap(values -> values)
                        .anyMatch(value -> value instanceof String name && name.length() > LONGEST_NAME)
                ? List.of(new Violation("", "has a name of more than " + LONGEST_NAME + " characters"))
                : List.of();
    }

    /// What stands in the way of a request about these devices.
    ///
    /// @param pointer of this value
    public List<Violation> missing(String pointer, Collection<String> devices) {
        if (all != null) {
            return List.of();
        }
        return Stream.concat(
                        devices.stream()
                                .distinct()
                                .filter(device -> each.get(device) == null)
                                .map(device -> new Violation(pointer, "has no value for " + device)),
                        each.keySet().stream()
                                .filter(name -> !devices.contains(name))
                                .map(name -> new Violation(
                                        pointer(pointer, name), "is for a device that is not named in devices")))
                .toList();
    }

    /// What stands in the way of a request about one device.
    ///
    /// @param pointer of this value
    public List<Violation> several(String pointer) {
        return all == null
                ? List.of(new Violation(pointer, "is an object: here there is one device, which takes one value"))
                : List.of();
    }
}
