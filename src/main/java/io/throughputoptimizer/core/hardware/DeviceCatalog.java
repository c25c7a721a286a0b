package io.throughputoptimizer.core.hardware;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Devices by name, in the order given. Immutable.
public final class DeviceCatalog {
    private final Map<String, DeviceProfile> byName = new LinkedHashMap<>();

    /// @throws IllegalArgumentException if two devices have the same name
    public DeviceCatalog(Collection<DeviceProfile> devices) {
        for (DeviceProfile device : devices) {
            if (byName.put(device.name(), device) != null) {
                throw new IllegalArgumentException("device " + device.name() + " is listed twice: names are unique");
            }
        }
    }

    /// The device of that name; names are matched exactly.
    public Optional<DeviceProfile> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /// All names, in order.
    public List<String> names() {
        return List.copyOf(byName.keySet());
    }

    /// All devices, in order.
    public List<DeviceProfile> all() {
        return List.copyOf(byName.values());
    }
}
