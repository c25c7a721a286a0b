package io.throughputoptimizer.catalog;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.throughputoptimizer.core.kernels.Engine;
import io.throughputoptimizer.core.memory.EngineMemory;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.ModelConfigException;
import io.throughputoptimizer.core.workload.LengthBin;
import io.throughputoptimizer.core.workload.LengthDistribution;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;

/// Reads the catalog: built-in files, then a user's folders, in a stable order. The first invalid file stops
/// it.
public final class CatalogReader {
    private static final TypeReference<Map<String, @Nullable Object>> CONFIG = new TypeReference<>() {};

    private CatalogReader() {}

    /// Reads the whole catalog.
    ///
    /// @param deviceFolder folder of a user's own device profiles, one YAML file each; null for none
    /// @param modelFolder folder of a user's own models, a Hugging Face configuration `Owner--Name.json` each;
    ///     null for none
    /// @param distributionFolder folder of a user's own length distributions, one YAML or JSON file each;
    ///     null for none
    /// @param elsewhere source of models without a file
    /// @throws CatalogException with file, key and rule
    public static Catalogs read(
            @Nullable Path deviceFolder,
            @Nullable Path modelFolder,
            @Nullable Path distributionFolder,
            ModelSource elsewhere) {
        BuiltIn builtIn = BuiltIn.FILES;
        return new Catalogs(
                withOwn(
                        builtIn.devices,
                        CatalogFiles.DEVICES,
                        deviceFolder,
                        CatalogReader::device,
                        CatalogDevice::name),
                withOwn(builtIn.models, CatalogFiles.MODELS, modelFolder, CatalogReader::model, ModelArchitecture::id),
                withOwn(
                        builtIn.distributions,
                        CatalogFiles.LENGTH_DISTRIBUTIONS,
                        distributionFolder,
                        CatalogReader::distribution,
                        NamedDistribution::name),
                builtIn.engines,
                builtIn.launch,
                elsewhere);
    }

    /// Reads the built-in files, if no thread has read them. Other threads that need them wait.
    public static void readBuiltIn() {
        BuiltIn _ = BuiltIn.FILES;
    }

    /// An entry with its file.
    private record Entry<T>(String location, T value) {}

    /// Entries of the built-in files by name. They are immutable and read once.
    private record BuiltIn(
            Map<String, Entry<CatalogDevice>> devices,
            Map<String, Entry<ModelArchitecture>> models,
            Map<String, Entry<NamedDistribution>> distributions,
            Map<String, Engine> engines,
            Map<String, EngineOptions> launch) {
        static final BuiltIn FILES = new BuiltIn(
                entries(Map.of(), CatalogFiles.DEVICES.builtIn(), CatalogReader::device, CatalogDevice::name),
                entries(Map.of(), CatalogFiles.MODELS.builtIn(), CatalogReader::model, ModelArchitecture::id),
                entries(
                        Map.of(),
                        CatalogFiles.LENGTH_DISTRIBUTIONS.builtIn(),
                        CatalogReader::distribution,
                        NamedDistribution::name),
                CatalogReader.engines(),
                CatalogReader.launch());
    }

    /// Reads the catalog with the built-in length distributions and without another source of models.
    ///
    /// @throws CatalogException with file, key and rule
    public static Catalogs read(@Nullable Path deviceFolder, @Nullable Path modelFolder) {
        return read(deviceFolder, modelFolder, null, ModelSource.NONE);
    }

    private static Map<String, EngineOptions> launch() {
        Map<String, EngineOptions> options = new LinkedHashMap<>();
        for (CatalogFile file : CatalogFiles.LAUNCH.builtIn()) {
            options.put(
                    file.name(), read(file, read -> StrictMappers.YAML.readValue(read.content(), EngineOptions.class)));
        }
        return options;
    }

    private static <T> List<T> withOwn(
            Map<String, Entry<T>> builtIn,
            CatalogFiles kind,
            @Nullable Path folder,
            Function<CatalogFile, T> reader,
            Function<T, String> nameOf) {
        List<CatalogFile> own = folder == null ? List.of() : kind.in(folder);
        return entries(builtIn, own, reader, nameOf).values().stream()
                .map(Entry::value)
                .toList();
    }

    /// Returns entries of files after known ones.
    private static <T> Map<String, Entry<T>> entries(
            Map<String, Entry<T>> known,
            List<CatalogFile> files,
            Function<CatalogFile, T> reader,
            Function<T, String> nameOf) {
        Map<String, Entry<T>> entries = new LinkedHashMap<>(known);
        for (CatalogFile file : files) {
            T value = read(file, reader);
            String name = nameOf.apply(value);
            Entry<T> other = entries.putIfAbsent(name, new Entry<>(file.location(), value));
            if (other != null) {
                throw new CatalogException(
                        file.location(), name + " is already described in " + other.location + ": names are unique");
            }
        }
        return entries;
    }

    private static <T> T read(CatalogFile file, Function<CatalogFile, T> reader) {
        try {
            return reader.apply(file);
        } catch (JacksonException e) {
            throw new CatalogException(file.location(), List.of(ReadFault.of(e)));
        } catch (InvalidDocumentException e) {
            throw new CatalogException(file.location(), e.defects());
        } catch (ModelConfigException e) {
            throw new CatalogException(file.location(), List.of(new Defect(e.pointer(), message(e))));
        } catch (IllegalArgumentException e) {
            throw new CatalogException(file.location(), message(e));
        }
    }

    private static String message(RuntimeException e) {
        return Objects.requireNonNullElse(e.getMessage(), e.toString());
    }

    private static CatalogDevice device(CatalogFile file) {
        DeviceDocument document = StrictMappers.YAML.readValue(file.content(), DeviceDocument.class);
        return new CatalogDevice(file.location(), document, present(document).toProfile());
    }

    private static ModelArchitecture model(CatalogFile file) {
        return ModelFile.architecture(file.name(), present(StrictMappers.JSON.readValue(file.content(), CONFIG)));
    }

    private static NamedDistribution distribution(CatalogFile file) {
        DistributionDocument document = StrictMappers.YAML.readValue(file.content(), DistributionDocument.class);
        return new NamedDistribution(file.name(), present(document).toDistribution());
    }

    private static Map<String, Engine> engines() {
        Map<String, EngineMemory> memory = read(
                file(CatalogFiles.ENGINES, "memory"),
                file -> MemoryDocument.of(file).toEngines());
        return read(
                file(CatalogFiles.ENGINES, "engines"),
                file -> StrictMappers.YAML
                        .readValue(file.content(), EnginesDocument.class)
                        .toEngines(memory));
    }

    private static CatalogFile file(CatalogFiles kind, String name) {
        return kind.builtIn().stream()
                .filter(file -> file.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /// Rejects a file that contains only null.
    private static <T> T present(@Nullable T document) {
        if (document == null) {
            throw new IllegalArgumentException("must be an object, got nothing");
        }
        return document;
    }

    /// A length distribution in a catalog file; [LengthDistribution] validates the bins.
    record DistributionDocument(
            @JsonSetter(contentNulls = Nulls.FAIL) @Nullable List<BinDocument> bins) {

        record BinDocument(
                @Nullable Integer minTokens,
                @Nullable Integer maxTokens,
                @Nullable Double weight) {}

        /// @throws InvalidDocumentException with every missing field
        LengthDistribution toDistribution() {
            DefectCollector defects = new DefectCollector();
            List<LengthBin> result = new ArrayList<>();
            List<BinDocument> given = defects.given("/bins", bins, List.of());
            for (int index = 0; index < given.size(); index++) {
                result.add(bin(defects, "/bins/" + index, given.get(index)));
            }
            defects.throwIfAny();
            return new LengthDistribution(result);
        }

        private static LengthBin bin(DefectCollector defects, String pointer, BinDocument bin) {
            return new LengthBin(
                    tokens(defects, pointer + "/min_tokens", bin.minTokens()),
                    tokens(defects, pointer + "/max_tokens", bin.maxTokens()),
                    defects.number(
                            pointer + "/weight", bin.weight(), new NumberRange(Double.MIN_VALUE, Double.MAX_VALUE)));
        }

        private static int tokens(DefectCollector defects, String pointer, @Nullable Integer tokens) {
            if (tokens == null) {
                defects.refuse(pointer, null, "a whole number");
                return 0;
            }
            return tokens;
        }
    }
}
