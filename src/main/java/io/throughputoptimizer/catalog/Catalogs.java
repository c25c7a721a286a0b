package io.throughputoptimizer.catalog;

import io.throughputoptimizer.core.hardware.DeviceCatalog;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.ModelCatalog;
import io.throughputoptimizer.core.workload.LengthDistribution;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Everything the service knows by name, in the order read: built-in first. Immutable.
public final class Catalogs {
    private final DeviceCatalog devices;
    private final Map<String, DeviceDocument> deviceDocuments = new LinkedHashMap<>();
    private final ModelCatalog models;
    private final Map<String, LengthDistribution> lengthDistributions = new LinkedHashMap<>();

    Catalogs(List<CatalogDevice> devices, List<ModelArchitecture> models, List<NamedDistribution> distributions) {
        this.devices =
                new DeviceCatalog(devices.stream().map(CatalogDevice::profile).toList());
        this.models = new ModelCatalog(models);
        devices.forEach(
                device -> deviceDocuments.put(device.name(), DeviceDocument.from(device.profile(), device.source())));
        distributions.forEach(named -> lengthDistributions.put(named.name(), named.distribution()));
    }

    public DeviceCatalog devices() {
        return devices;
    }

    /// The document of a device: its figures as its file gives them, their source, and the effective figures.
    public Optional<DeviceDocument> deviceDocument(String name) {
        return Optional.ofNullable(deviceDocuments.get(name));
    }

    public ModelCatalog models() {
        return models;
    }

    /// Length distributions by name, in order.
    public Map<String, LengthDistribution> lengthDistributions() {
        return Collections.unmodifiableMap(lengthDistributions);
    }
}
