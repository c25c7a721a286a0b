package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.PerDevice;
import io.throughputoptimizer.catalog.DeviceDocument;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/// Number of devices of each kind in a request.
public final class DeviceCounts {
    /// Reference to the schema of counts, which is a number or an object.
    static final String SCHEMA = "#/components/schemas/DeviceCount";

    static final PerDevice<Integer> ONE = PerDevice.ofAll(1);

    private static final String POINTER = "/num_devices";

    private DeviceCounts() {}

    /// Returns the devices of a request without `devices`: those that it counts, else those that it describes.
    static List<String> named(PerDevice<Integer> counts, List<DeviceDocument> profiles) {
        return counts.each().isEmpty()
                ? profiles.stream()
                        .filter(Objects::nonNull)
                        .map(DeviceDocument::name)
                        .filter(Objects::nonNull)
                        .toList()
                : List.copyOf(counts.each().keySet());
    }

    /// Returns the violations of the device counts of a request.
    static List<Violation> broken(OptimizationRequest request) {
        PerDevice<Integer> counts = request.numDevices();
        if (counts.isForEach() && counts.each().isEmpty()) {
            return List.of(new Violation(POINTER, "must be a number, or an object with a number per device"));
        }
        List<Violation> broken = new ArrayList<>(counts.missing(POINTER, request.devices()));
        counts.forEach(POINTER, (at, count) -> {
            if (count < 1) {
                broken.add(new Violation(at, "must be at least 1, got " + count));
            } else if (count > Bounds.COUNT) {
                broken.add(new Violation(at, "must be at most " + Bounds.COUNT + ", got " + count));
            }
        });
        return broken;
    }

    /// The largest of a request whose values need not be right.
    public static int most(OptimizationRequest request) {
        PerDevice<Integer> counts = request.numDevices();
        return Stream.concat(Stream.ofNullable(counts.all()), counts.each().values().stream())
                .filter(Objects::nonNull)
                .mapToInt(Integer::intValue)
                .max()
                .orElse(0);
    }

    /// Returns the number of devices of a kind, for a request that keeps its rules.
    public static int of(OptimizationRequest request, String device) {
        return requireNonNull(request.numDevices().of(device));
    }

    /// Returns the pointer to the number of devices of a kind.
    public static String pointer(OptimizationRequest request, String device) {
        return request.numDevices().pointer(POINTER, device);
    }

    /// Returns the available devices of a request that keeps its rules.
    public static AvailableDevices available(OptimizationRequest request) {
        Integer ofEach = request.numDevices().all();
        if (ofEach != null) {
            return AvailableDevices.ofEach(ofEach);
        }
        Map<String, Integer> byKind = new LinkedHashMap<>();
        request.devices().forEach(device -> byKind.put(device, of(request, device)));
        return AvailableDevices.byKind(byKind);
    }
}
