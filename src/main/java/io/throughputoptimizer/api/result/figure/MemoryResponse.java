package io.throughputoptimizer.api.result.figure;

import static io.throughputoptimizer.core.forward.MemoryFootprint.GIB;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.measured.MeasuredRow;
import io.throughputoptimizer.core.measured.PricedInstance;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.silicon.SiliconMemory;
import io.throughputoptimizer.core.steady.CacheUse;
import io.throughputoptimizer.core.steady.MeanRequest;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Device memory of one rank during the pass that leaves least, in GB of 2^30 bytes.
@Schema(
        name = "Memory",
        description = "Device memory of one rank during the pass that leaves least, in GB of 2^30 bytes.")
public record MemoryResponse(
        @Schema(description = "Capacity of the device.", example = "64.0")
        double totalGb,

        @Schema(description = "Weights, rotary tables and scales.")
        double weightGb,

        @Schema(description = "KV cache of the requests in the pass, in whole blocks.")
        double kvCacheGb,

        @Schema(description = "KV cache of one token; in an estimate only.") @Nullable
        Double kvCachePerTokenGb,

        @Schema(
                description =
                        "How many times as many tokens the KV cache of a rank holds because ranks share sequences:"
                                + " `kv_cache_gb` is that much smaller; absent where decode context parallelism saves nothing.",
                example = "4")
        @Nullable
        Integer kvCapacityMultiplier,

        @Schema(
                description = "Recurrent states of the requests in the pass; present with accounting `corrected` and"
                        + " linear attention only.")
        @Nullable
        Double stateGb,

        @Schema(description = "Activations and inputs at the peak.") @Nullable
        Double activationGb,

        @Schema(description = "Kept free, as the request asks.", example = "10.0") @Nullable
        Double reservedGb,

        @Schema(description = "What is left; negative when the pass does not fit.")
        double availableGb,

        @Schema(
                description = "Present and true when the activation was cut to a tenth because memory was short and"
                        + " the lengths of a prefill batch differ.")
        @Nullable
        Boolean adjusted,

        @Schema(description = "Present and false when the activation is not proved equal to the reference.") @Nullable
        Boolean exact,

        @Schema(
                description = "Tokens that the KV cache of a rank holds, estimated or as `engine.kv_tokens` says; cost"
                        + " model `calibrated` only, which gives an estimate of the rank in its steady state.")
        @Nullable
        Double kvTokens,

        @Schema(
                description =
                        "Bytes that a request keeps on a rank for each of its tokens; present where it keeps more than"
                                + " these, and `kv_tokens` are those of one request that kept nothing besides.",
                example = "15360.0")
        @Nullable
        Double requestBytesPerToken,

        @Schema(
                description =
                        "Bytes that a request keeps on a rank whatever its length is: recurrent states, compressors"
                                + " and windows; absent where there are none.",
                example = "28422144.0")
        @Nullable
        Double requestBytesConstant) {

    /// Memory that a rank leaves in its steady state, of a pair one that decodes. Activations and graphs are in the
    /// rule of its engine.
    public static MemoryResponse from(MeasuredRow row, MeanRequest request) {
        return from(row.at().instances().decoding(), row.at().running(), request::cached, row.cacheTokens());
    }

    /// Memory that a rank leaves which prefills one prompt at a time.
    public static MemoryResponse ofPrompt(PricedInstance instance, MeanRequest request) {
        return from(
                instance.deployment(),
                1,
                request::cachedPrompt,
                instance.limits().cacheTokens());
    }

    private static MemoryResponse from(
            SiliconDeployment deployment, double requests, ToDoubleFunction<CacheUse> request, double cacheTokens) {
        SiliconMemory memory = SiliconMemory.of(deployment);
        double used = requests * request.applyAsDouble(memory.cacheUse());
        double token = memory.cacheBytesPerToken() / GIB;
        return new MemoryResponse(
                deployment.calibration().peaks().memoryBytes() / GIB,
                memory.weightBytes() / GIB,
                used * token,
                null,
                null,
                null,
                null,
                null,
                (cacheTokens - used) * token,
                null,
                null,
                cacheTokens,
                perToken(memory),
                constant(memory));
    }

    /// Bytes of a token where a request keeps more than its tokens.
    static @Nullable Double perToken(SiliconMemory memory) {
        return memory.request().isOfTokensAlone() ? null : memory.request().perToken();
    }

    /// Bytes of a request besides its tokens, if it keeps any.
    static @Nullable Double constant(SiliconMemory memory) {
        return memory.request().isOfTokensAlone() ? null : memory.request().fixed();
    }

    public static MemoryResponse from(MemoryFootprint memory, Deployment deployment) {
        return from(memory, deployment, null);
    }

    public static MemoryResponse withCachePerToken(MemoryFootprint memory, Deployment deployment) {
        return from(memory, deployment, memory.kvCacheBytesPerToken() / GIB);
    }

    private static MemoryResponse from(
            MemoryFootprint memory, Deployment deployment, @Nullable Double kvCachePerTokenGb) {
        int factor = deployment.cacheCapacityFactor();
        return new MemoryResponse(
                memory.capacityBytes() / GIB,
                memory.weightBytes() / GIB,
                memory.kvCacheBytes() / GIB,
                kvCachePerTokenGb,
                factor == 1 ? null : factor,
                memory.stateBytes() == 0 ? null : memory.stateBytes() / GIB,
                memory.activationBytes() / GIB,
                memory.reservedBytes() / GIB,
                memory.availableGib(),
                memory.adjusted() ? true : null,
                memory.exact() ? null : false,
                null,
                null,
                null);
    }

    /// Whether the activation was cut to a tenth.
    public boolean isAdjusted() {
        return Boolean.TRUE.equals(adjusted);
    }

    /// Whether the activation is proved equal to the reference.
    public boolean isExact() {
        return !Boolean.FALSE.equals(exact);
    }
}
