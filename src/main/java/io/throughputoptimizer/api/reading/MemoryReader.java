package io.throughputoptimizer.api.reading;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.reading.EstimateReader.UnpricedPass;
import io.throughputoptimizer.api.request.CatalogLookup;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.request.EstimateRequest;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.kernels.CacheType;
import io.throughputoptimizer.core.kernels.CalibratedMemory;
import io.throughputoptimizer.core.kernels.Engine;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.memory.DeviceMemory;
import io.throughputoptimizer.core.memory.EngineMemory;
import io.throughputoptimizer.core.memory.MemoryModel;
import io.throughputoptimizer.core.memory.MemoryNotSpecifiedException;
import io.throughputoptimizer.core.memory.RankMemory;
import io.throughputoptimizer.core.memory.ServedRank;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.ModelDocument;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reads the memory of a rank from an [EstimateRequest] whose pass has no price: the model, the device or the number
/// format has no measured kernels.
final class MemoryReader {
    private static final Set<String> PRICES = Set.of(
            "/model_id",
            "/model_config",
            "/device",
            "/device_profile/calibration",
            "/quantization/scheme",
            "/engine/kv_cache_dtype",
            "/speculation");

    private final Catalogs catalogs;

    MemoryReader(Catalogs catalogs) {
        this.catalogs = catalogs;
    }

    /// @throws InvalidRequestException if the memory is unknown too; the first reasons where they are of another kind
    UnpricedPass read(EstimateRequest request, InvalidRequestException unpriced) {
        Optional<ModelDocument> document = document(request);
        EngineRequest given = requireNonNull(request.engine());
        Engine usual = catalogs.engines().get(given.backend(request.device()));
        if (document.isEmpty()
                || usual == null
                || !unpriced.violations().stream().allMatch(MemoryReader::isOfPrice)) {
            throw unpriced;
        }
        Scheme scheme = request.quantization().scheme() == null
                ? null
                : request.quantization().scheme(request.device());
        try {
            MemoryModel model = MemoryModel.of(document.get());
            RankMemory memory = RankMemory.of(rank(request, given, model, usual.memory(), scheme, unpriced));
            return new UnpricedPass(
                    memory,
                    request.pass().toRankPass(request.dataParallel()),
                    given.completed(usual, requireNonNullElse(scheme, Scheme.BF16)),
                    unpriced.violations().stream()
                            .map(violation -> violation.pointer().substring(1) + " " + violation.message())
                            .collect(Collectors.joining("; ")));
        } catch (MemoryNotSpecifiedException | IllegalArgumentException e) {
            throw new InvalidRequestException(List.of(
                    new Violation("/model_id", "has no memory law on this engine: " + e.getMessage()),
                    unpriced.violations().getFirst()));
        }
    }

    private static boolean isOfPrice(Violation violation) {
        return PRICES.contains(violation.pointer()) || violation.pointer().startsWith("/model_config/");
    }

    private Optional<ModelDocument> document(EstimateRequest request) {
        Map<String, @Nullable Object> config = request.modelConfig();
        return config != null
                ? Optional.of(new ModelDocument(config))
                : new CatalogLookup(catalogs).model(request.modelId(), null).map(ModelArchitecture::document);
    }

    private ServedRank rank(
            EstimateRequest request,
            EngineRequest given,
            MemoryModel model,
            EngineMemory engine,
            @Nullable Scheme scheme,
            InvalidRequestException unpriced) {
        int tp = request.tensorParallel();
        int dp = request.dataParallel();
        int ep = requireNonNullElse(request.parallel().ep(), tp * dp);
        return CalibratedMemory.rank(
                model,
                engine,
                device(request, engine, unpriced),
                tp,
                dp,
                ep,
                request.quantization().isOfCheckpoint() ? null : scheme,
                cache(given, model, scheme),
                request.decodeTokens() - 1,
                given.memorySettings());
    }

    private static CacheType cache(EngineRequest given, MemoryModel model, @Nullable Scheme scheme) {
        if (given.kvCacheDtype() != null) {
            return given.toCache();
        }
        return model.quantizesCache() ? CacheType.FP8 : scheme == null ? CacheType.BF16 : scheme.defaultCache();
    }

    private DeviceMemory device(EstimateRequest request, EngineMemory engine, InvalidRequestException unpriced) {
        Optional<DeviceMemory> device = request.deviceProfile() == null
                ? catalogs.deviceMemory(engine, request.device())
                : new CatalogLookup(catalogs)
                        .inlineDevice("/device_profile", request.deviceProfile())
                        .map(profile ->
                                engine.device(request.device(), profile.memory().capacityBytes() / RankMemory.GIB));
        return device.orElseThrow(() -> unpriced);
    }
}
