package io.throughputoptimizer.api.wire;

import com.fasterxml.jackson.annotation.JsonValue;
import io.throughputoptimizer.api.problem.Violation;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.deser.std.StdDeserializer;

/// One value for all devices of a request, or one for each by its name.
///
/// @param all absent where each device has its own
/// @param each values by device name; empty if one value is for all
@JsonDeserialize(using = PerDevice.PerDeviceReader.class)
public record PerDevice<T>(@Nullable T all, Map<String, T> each) implements Composite {
    private static final int LONGEST_NAME = 256;

    public static <T> PerDevice<T> ofAll(T all) {
        return new PerDevice<>(all, Map.of());
    }

    /// Returns the value as it is sent: one value, or an object with one per device.
    @JsonValue
    Object wire() {
        return all == null ? each : all;
    }

    public boolean isForEach() {
        return all == null;
    }

    /// Returns the value of one device, or null if the request has none for it.
    @Nullable
    public T of(String device) {
        return all == null ? each.get(device) : all;
    }

    /// @param seen receives the pointer of each value, and the value
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

    /// Returns the pointer of the value of a device.
    ///
    /// @param pointer pointer of this value
    public String pointer(String pointer, String device) {
        return all == null ? place(pointer, device) : pointer;
    }

    /// Returns the pointer of the value of a device in an object.
    ///
    /// @param pointer pointer of the object
    public static String place(String pointer, String device) {
        return pointer + "/" + device.replace("~", "~0").replace("/", "~1");
    }

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

    /// Returns the violations of a request about these devices.
    ///
    /// @param pointer pointer of this value
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

    /// Returns the violations of a request about one device.
    ///
    /// @param pointer pointer of this value
    public List<Violation> several(String pointer) {
        return all == null
                ? List.of(new Violation(pointer, "is an object: here there is one device, which takes one value"))
                : List.of();
    }

    /// Reads one value, or an object of them by name.
    static final class PerDeviceReader extends StdDeserializer<PerDevice<?>> {
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
                        context.getTypeFactory()
                                .constructMapType(Map.class, context.constructType(String.class), type));
                return new PerDevice<>(null, each);
            }
            return PerDevice.ofAll(context.readValue(parser, type));
        }
    }
}
