package io.throughputoptimizer.catalog;

import io.throughputoptimizer.core.memory.DeviceMemory;
import io.throughputoptimizer.core.memory.EngineMemory;
import io.throughputoptimizer.core.memory.EngineMemory.Band;
import io.throughputoptimizer.core.memory.EngineMemory.BandClass;
import io.throughputoptimizer.core.memory.EngineMemory.Parameters;
import io.throughputoptimizer.core.memory.EngineMemory.Reserve;
import io.throughputoptimizer.core.memory.EngineVersion;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectMapper;

/// Memory of engines and devices in the catalog.
record MemoryDocument(Map<String, DeviceEntry> devices, Map<String, EngineEntry> engines) {
    private static final ObjectMapper YAML = StrictMappers.YAML
            .rebuild()
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    /// A device; `kind` is null for the default kind.
    ///
    /// @param calibration name of the device in calibrations; null if it has none
    record DeviceEntry(
            @Nullable String calibration,
            double seenGib,
            DeviceMemory.Basis basis,
            int multiprocessors,
            int smiMib,
            boolean linked,
            DeviceMemory.@Nullable Kind kind) {}

    /// An engine. Each version range lists the changes from the previous one.
    record EngineEntry(
            EngineMemory.Law law,
            String newest,
            Map<String, Map<String, @Nullable Object>> versions,
            @Nullable Reserve reserve,
            Map<BandClass, Band> bands) {}

    static MemoryDocument of(CatalogFile file) {
        return YAML.readValue(file.content(), MemoryDocument.class);
    }

    private Map<String, DeviceMemory> toDevices() {
        Map<String, DeviceMemory> read = new HashMap<>();
        devices.forEach((name, entry) -> {
            DeviceMemory memory = new DeviceMemory(
                    name,
                    entry.seenGib,
                    entry.multiprocessors,
                    entry.smiMib,
                    entry.linked,
                    entry.kind == null ? DeviceMemory.Kind.USUAL : entry.kind,
                    entry.basis);
            read.put(name, memory);
            if (entry.calibration != null) {
                read.put(entry.calibration, memory);
            }
        });
        return read;
    }

    /// Returns the memory rules of the engines by name.
    Map<String, EngineMemory> toEngines() {
        Map<String, DeviceMemory> known = toDevices();
        Map<String, EngineMemory> read = new HashMap<>();
        engines.forEach((name, entry) -> read.put(
                name,
                new EngineMemory(
                        name,
                        entry.law,
                        version(entry.newest),
                        ranges(entry),
                        entry.reserve,
                        Map.copyOf(entry.bands),
                        known)));
        return read;
    }

    private static TreeMap<EngineVersion, Parameters> ranges(EngineEntry entry) {
        TreeMap<EngineVersion, Parameters> ranges = new TreeMap<>();
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        entry.versions.forEach((from, changes) -> {
            all.putAll(changes);
            ranges.put(version(from), YAML.convertValue(all, Parameters.class));
        });
        return ranges;
    }

    private static EngineVersion version(String text) {
        return EngineVersion.of(text)
                .orElseThrow(() -> new IllegalArgumentException("\"" + text + "\" is no version: 0.19 is one"));
    }
}
