package io.throughputoptimizer.api.enginelog;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.enginelog.EngineLogResponse.ComparedResponse;
import io.throughputoptimizer.api.enginelog.EngineLogResponse.PrintedResponse;
import io.throughputoptimizer.api.enginelog.EngineLogResponse.ServerEngineResponse;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.request.CatalogLookup;
import io.throughputoptimizer.api.result.figure.EngineMemoryResponse;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.catalog.NearestNames;
import io.throughputoptimizer.core.kernels.CacheType;
import io.throughputoptimizer.core.kernels.CalibratedMemory;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.memory.DeviceMemory;
import io.throughputoptimizer.core.memory.EngineMemory;
import io.throughputoptimizer.core.memory.EngineMemory.Law;
import io.throughputoptimizer.core.memory.MemoryModel;
import io.throughputoptimizer.core.memory.MemoryNotSpecifiedException;
import io.throughputoptimizer.core.memory.MemorySettings;
import io.throughputoptimizer.core.memory.RankMemory;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.ModelDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A prediction of the memory that a log prints, from the settings in the log.
public final class LoggedMemory {
    private static final int MOST_SIZE = 1 << 16;

    private final Catalogs catalogs;

    public LoggedMemory(Catalogs catalogs) {
        this.catalogs = catalogs;
    }

    /// Facts that a log might not state.
    ///
    /// @param device name of the memory table or the catalogue; absent for the memory that the log prints
    /// @param modelId id of the catalogue; absent for the model that the log names
    /// @param scheme scheme of the weights; absent where the checkpoint decides
    public record Stated(
            @Nullable String device,
            @Nullable String modelId,
            @Nullable String scheme) {}

    /// Returns a log with the predicted memory, or with warnings that say why there is none.
    ///
    /// @throws InvalidRequestException if a stated name is unknown
    public EngineLogResponse predict(EngineLogResponse log, Stated stated) {
        EngineMemory engine =
                requireNonNull(catalogs.engines().get(log.engine().backend())).memory();
        List<String> warnings = new ArrayList<>();
        CatalogLookup lookup = new CatalogLookup(catalogs);
        Optional<ModelDocument> model = model(log, stated, lookup, warnings);
        Optional<DeviceMemory> device = device(log, stated, engine, lookup, warnings);
        Scheme scheme = scheme(stated.scheme, lookup);
        lookup.throwIfAny();
        if (log.parallel().pp() != null) {
            return log.with(null, null, List.of("Memory of pipeline stages is not predicted."));
        }
        if (model.isEmpty() || device.isEmpty()) {
            return log.with(null, null, warnings);
        }
        try {
            if (log.printed().memoryShare() == null) {
                warnings.add("The log prints no memory share: the prediction has the engine's default.");
            }
            RankMemory memory = memory(log, MemoryModel.of(model.get()), engine, device.get(), scheme);
            return log.with(
                    EngineMemoryResponse.of(memory, requestTokens(log, memory)),
                    compared(log.printed(), memory),
                    warnings);
        } catch (MemoryNotSpecifiedException | IllegalArgumentException e) {
            warnings.add("Memory of this model is not predicted: " + e.getMessage() + ".");
            return log.with(null, null, warnings);
        }
    }

    private Optional<ModelDocument> model(
            EngineLogResponse log, Stated stated, CatalogLookup lookup, List<String> warnings) {
        if (stated.modelId != null) {
            return lookup.model(stated.modelId, null).map(ModelArchitecture::document);
        }
        Optional<ModelArchitecture> named = log.model() == null ? Optional.empty() : named(log.model());
        if (named.isEmpty()) {
            warnings.add("No prediction: "
                    + (log.model() == null
                            ? "the log names no model."
                            : "the catalog has no model \"" + log.model() + "\".")
                    + " State model_id"
                    + nearest(log.model()).map(id -> ", such as " + id).orElse("") + ".");
        }
        return named.map(ModelArchitecture::document);
    }

    private Optional<String> nearest(@Nullable String name) {
        return name == null
                ? Optional.empty()
                : NearestNames.meant(lastPart(name), catalogs.models().ids());
    }

    /// Finds a model by its id, else by the part after the last slash, ignoring case.
    private Optional<ModelArchitecture> named(String name) {
        return catalogs.models().all().stream()
                .filter(model -> model.id().equalsIgnoreCase(name))
                .findFirst()
                .or(() -> catalogs.models().all().stream()
                        .filter(model -> lastPart(model.id()).equals(lastPart(name)))
                        .findFirst());
    }

    private static String lastPart(String name) {
        String bare = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
        return bare.substring(bare.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    }

    private Optional<DeviceMemory> device(
            EngineLogResponse log, Stated stated, EngineMemory engine, CatalogLookup lookup, List<String> warnings) {
        Double seen = log.printed().seenGib();
        if (stated.device != null) {
            Optional<DeviceMemory> known = catalogs.deviceMemory(engine, stated.device);
            if (known.isEmpty()) {
                Set<String> names = new LinkedHashSet<>(catalogs.devices().namesAndAliases());
                names.addAll(engine.devices().keySet());
                lookup.refuse("/device", NearestNames.message("device", stated.device, names));
            }
            return known.map(device -> seen == null || seen <= 0 ? device : device.withSeen(seen));
        }
        if (seen == null || seen <= 0) {
            warnings.add("No prediction: the log names no device. State device.");
            return Optional.empty();
        }
        warnings.add("The log names no device: the prediction assumes one of " + seen + " GiB. State device.");
        return Optional.of(DeviceMemory.ofSeen(seen));
    }

    private static @Nullable Scheme scheme(@Nullable String name, CatalogLookup lookup) {
        if (name == null) {
            return null;
        }
        List<String> names = Arrays.stream(Scheme.values()).map(Scheme::name).toList();
        if (!names.contains(name)) {
            lookup.refuse("/scheme", NearestNames.message("scheme", name, names));
            return null;
        }
        return Scheme.valueOf(name);
    }

    private static RankMemory memory(
            EngineLogResponse log,
            MemoryModel model,
            EngineMemory engine,
            DeviceMemory device,
            @Nullable Scheme scheme) {
        ServerEngineResponse settings = log.engine();
        Double share = log.printed().memoryShare();
        CacheType usual = model.quantizesCache() ? CacheType.FP8 : CacheType.BF16;
        return RankMemory.of(CalibratedMemory.rank(
                model,
                engine,
                device,
                size(log.parallel().tp(), 1),
                size(log.parallel().dp(), 1),
                size(log.parallel().ep(), 1),
                scheme,
                settings.kvCacheDtype() == null
                        ? usual
                        : settings.kvCacheDtype().equals("fp8") ? CacheType.FP8 : CacheType.BF16,
                size(log.numDraftTokens(), 0),
                new MemorySettings(
                        settings.version(),
                        share != null && share > 0 && share <= 1 ? share : null,
                        whole(settings.maxNumSeqs()),
                        whole(settings.maxBatchedTokens()),
                        settings.maxModelLen() != null && settings.maxModelLen() > 0 ? settings.maxModelLen() : null,
                        !Boolean.FALSE.equals(settings.cudaGraphs()),
                        true,
                        null,
                        true,
                        null,
                        null)));
    }

    private static int size(@Nullable Long logged, int usual) {
        return logged == null || logged < usual || logged > MOST_SIZE ? usual : logged.intValue();
    }

    private static @Nullable Integer whole(@Nullable Long logged) {
        return logged == null || logged <= 0 || logged > Integer.MAX_VALUE ? null : (Integer) logged.intValue();
    }

    private static double requestTokens(EngineLogResponse log, RankMemory memory) {
        Long tokens = log.printed().concurrencyTokens();
        return tokens == null || tokens <= 0 ? memory.rank().context() : tokens;
    }

    private static List<ComparedResponse> compared(PrintedResponse printed, RankMemory memory) {
        List<ComparedResponse> parts = new ArrayList<>();
        boolean profiled = memory.rank().engine().law() == Law.PROFILED;
        add(parts, "weights_gib", printed.weightsGib(), memory.weightsGib());
        if (profiled) {
            add(parts, "activation_gib", printed.activationGib(), memory.activationGib());
            add(parts, "other_gib", printed.otherGib(), memory.otherGib());
        }
        if (memory.graphsGib() > 0) {
            add(parts, "graphs_gib", printed.graphsGib(), memory.graphsGib());
        }
        add(parts, "kv_pool_gib", printed.kvPoolGib(), memory.poolGib());
        if (memory.poolGib() > 0) {
            add(parts, "kv_tokens", printed.kvTokens(), memory.printedTokens());
            if (printed.concurrencyTokens() != null && printed.concurrencyTokens() > 0) {
                add(parts, "concurrency", printed.concurrency(), memory.requestsAdmitted(printed.concurrencyTokens()));
            }
        }
        return List.copyOf(parts);
    }

    private static void add(List<ComparedResponse> parts, String part, @Nullable Number printed, double predicted) {
        if (printed != null) {
            parts.add(ComparedResponse.of(part, printed.doubleValue(), predicted));
        }
    }
}
