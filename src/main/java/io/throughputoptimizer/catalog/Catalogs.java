package io.throughputoptimizer.catalog;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.kernels.Engine;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.memory.DeviceMemory;
import io.throughputoptimizer.core.memory.EngineMemory;
import io.throughputoptimizer.core.memory.RankMemory;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.ModelCatalog;
import io.throughputoptimizer.core.workload.LengthDistribution;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// All catalogs of the service, in reading order with built-in entries first. Immutable.
public final class Catalogs {
    private final DeviceCatalog devices;
    private final Map<String, DeviceDocument> deviceDocuments = new LinkedHashMap<>();
    private final Map<String, String> namesByAlias = new HashMap<>();
    private final Calibrations calibrations;
    private final ModelCatalog models;
    private final Map<String, Engine> engines;
    private final Map<String, EngineOptions> launch;
    private final Map<String, LengthDistribution> lengthDistributions = new LinkedHashMap<>();
    private final ModelSource elsewhere;

    Catalogs(
            List<CatalogDevice> devices,
            List<ModelArchitecture> models,
            List<NamedDistribution> distributions,
            Map<String, Engine> engines,
            Map<String, EngineOptions> launch,
            ModelSource elsewhere) {
        requireUniqueAliases(devices);
        this.devices = new DeviceCatalog(
                devices.stream().map(CatalogDevice::profile).toList(),
                devices.stream().flatMap(CatalogDevice::byAliases).toList());
        this.models = new ModelCatalog(models);
        this.engines = Collections.unmodifiableMap(engines);
        this.launch = Collections.unmodifiableMap(launch);
        this.calibrations = new Calibrations(devices);
        this.elsewhere = elsewhere;
        for (CatalogDevice device : devices) {
            deviceDocuments.put(device.name(), device.handedOut());
            device.aliases().forEach(alias -> namesByAlias.put(requireNonNull(alias.name()), device.name()));
        }
        distributions.forEach(named -> lengthDistributions.put(named.name(), named.distribution()));
    }

    private static void requireUniqueAliases(List<CatalogDevice> devices) {
        Set<String> names = devices.stream().map(CatalogDevice::name).collect(Collectors.toCollection(HashSet::new));
        for (CatalogDevice device : devices) {
            device.aliases().forEach(alias -> {
                if (!names.add(requireNonNull(alias.name()))) {
                    throw new CatalogException(
                            device.location(), alias.name() + " is already another name: names are unique");
                }
            });
        }
    }

    public DeviceCatalog devices() {
        return devices;
    }

    /// Returns the document of a device by name or alias: its figures as in its file, their source, and the
    /// effective figures.
    public Optional<DeviceDocument> deviceDocument(String name) {
        return Optional.ofNullable(deviceDocuments.get(namesByAlias.getOrDefault(name, name)));
    }

    /// Returns the memory of a device by name or alias, from the engine's list or the catalog; empty if in
    /// neither.
    public Optional<DeviceMemory> deviceMemory(EngineMemory engine, String name) {
        String listed = namesByAlias.getOrDefault(name, name);
        DeviceMemory known = engine.devices().get(listed);
        return known != null
                ? Optional.of(known)
                : devices.find(name)
                        .map(device ->
                                DeviceMemory.ofNominal(listed, device.memory().capacityBytes() / RankMemory.GIB));
    }

    /// Returns the calibration of a device by name or alias, or empty.
    public Optional<Calibration> calibrationOf(String name) {
        return Optional.ofNullable(calibrations.byDevice().get(namesByAlias.getOrDefault(name, name)));
    }

    /// Returns the calibrations by device name, in order. Other devices do not support `cost_model`
    /// `calibrated`.
    public Map<String, Calibration> calibrations() {
        return Collections.unmodifiableMap(calibrations.byDevice());
    }

    /// Returns the calibration in a user's own device document, or empty.
    ///
    /// @throws InvalidDocumentException if it is invalid, or borrows from one that is not in the catalog
    public Optional<Calibration> calibration(DeviceDocument device) {
        return calibrations.read(device);
    }

    public ModelCatalog models() {
        return models;
    }

    /// Returns the source of models that are not in [#models()].
    public ModelSource elsewhere() {
        return elsewhere;
    }

    /// Returns the serving engines by name, in order.
    public Map<String, Engine> engines() {
        return engines;
    }

    /// Returns the launch options by engine name, in order.
    public Map<String, EngineOptions> launch() {
        return launch;
    }

    /// Returns the length distributions by name, in order.
    public Map<String, LengthDistribution> lengthDistributions() {
        return Collections.unmodifiableMap(lengthDistributions);
    }

    /// Devices by name, in the given order. Immutable.
    public static final class DeviceCatalog {
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
}
