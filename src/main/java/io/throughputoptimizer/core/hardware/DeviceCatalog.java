package io.throughputoptimizer.core.hardware;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Devices by name, in the given order. Immutable.
public final class DeviceCatalog {
    private final Map<String, DeviceProfile> byName = new LinkedHashMap<>();
    private final Map<String, DeviceProfile> byAlias = new LinkedHashMap<>();

    /// @throws IllegalArgumentException if two devices have the same name
    public DeviceCatalog(Collection<DeviceProfile> devices) {
        this(devices, List.of());
    }

    /// @param aliases the same devices under other names, which are found but not listed
    /// @throws IllegalArgumentException if two have the same name
    public DeviceCatalog(Collection<DeviceProfile> devices, Collection<DeviceProfile> aliases) {
        devices.forEach(device -> add(device, byName));
        aliases.forEach(device -> add(device, byAlias));
    }

    private void add(DeviceProfile device, Map<String, DeviceProfile> to) {
        if (find(device.name()).isPresent()) {
            throw new IllegalArgumentException("device " + device.name() + " is listed twice: names are unique");
        }
        to.put(device.name(), device);
    }

    /// Returns the device of a name or alias, matched exactly.
    public Optional<DeviceProfile> find(String name) {
        return Optional.ofNullable(byName.getOrDefault(name, byAlias.get(name)));
    }

    /// Returns all names and aliases, in order.
    public List<String> namesAndAliases() {
        return Stream.concat(byName.keySet().stream(), byAlias.keySet().stream())
                .toList();
    }

    /// Returns all names, in order.
    public List<String> names() {
        return List.copyOf(byName.keySet());
    }

    /// Returns all devices, in order.
    public List<DeviceProfile> all() {
        return List.copyOf(byName.values());
    }
}
