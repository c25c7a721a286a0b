package io.throughputoptimizer.api.result.figure;

import static io.throughputoptimizer.core.forward.MemoryFootprint.GIB;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.calibrated.CalibratedRow;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.load.RequestLengths;
import io.throughputoptimizer.core.memory.RankMemory;
import org.jspecify.annotations.Nullable;

/// Device memory of one rank during the pass that leaves least, in GB of 2^30 bytes.
@Schema(
        name = "Memory",
        description = "Device memory of one rank during the pass that leaves least, in GB of 2^30 bytes.")
public record MemoryResponse(
        @Schema(description = "Capacity of the device.", example = "64.0")
        double totalGb,

        @Schema(description = "Weights, rotary tables and scales.") @Nullable
        Double weightGb,

        @Schema(description = "KV cache of the requests in the pass, in whole blocks.") @Nullable
        Double kvCacheGb,

        @Schema(description = "KV cache of one token; in an estimate only.") @Nullable
        Double kvCachePerTokenGb,

        @Schema(
                description = "Factor by which the KV cache of a rank holds more tokens because ranks share"
                        + " sequences. `kv_cache_gb` is smaller by it. Absent without savings by decode context"
                        + " parallelism.",
                example = "4")
        @Nullable
        Integer kvCapacityMultiplier,

        @Schema(
                description = "Recurrent states of the requests in the pass; present with accounting `steady` and"
                        + " linear attention only.")
        @Nullable
        Double stateGb,

        @Schema(description = "Activations and inputs at the peak.") @Nullable
        Double activationGb,

        @Schema(description = "Kept free, as the request asks.", example = "10.0") @Nullable
        Double reservedGb,

        @Schema(description = "Memory that is left; negative when the pass does not fit.") @Nullable
        Double availableGb,

        @Schema(
                description = "Present and true when the activation was cut to a tenth because memory was short and"
                        + " the lengths of a prefill batch differ.")
        @Nullable
        Boolean adjusted,

        @Schema(description = "Present and false when the activation is not proved equal to the reference.") @Nullable
        Boolean exact,

        @Schema(
                description = "Tokens of requests of this workload that the KV cache of a rank holds, by the engine's"
                        + " memory or as `engine.kv_tokens` says. Requires `cost_model: calibrated`.")
        @Nullable
        Double kvTokens,

        @JsonUnwrapped @Nullable EngineMemoryResponse engine) {

    public MemoryResponse {
        engine = EngineMemoryResponse.orAbsent(engine);
    }

    /// Memory of a rank in its steady state, of a pair one that decodes.
    ///
    /// @param lengths lengths of the requests
    public static MemoryResponse from(CalibratedRow row, RequestLengths lengths) {
        CalibratedDeployment decoding = row.at().instances().decoding();
        long longest = (long) lengths.longestInput() + lengths.longestOutput();
        return row.memory(lengths)
                .map(memory -> from(
                        memory,
                        row.at().running() * lengths.mean(0).cached(memory.cache()::heldBytes),
                        row.cacheTokens(),
                        longest,
                        decoding))
                .orElseGet(() -> unknown(decoding, row.cacheTokens()));
    }

    /// Memory of a rank of a pair that prefills one prompt at a time.
    ///
    /// @param lengths lengths of the requests
    public static MemoryResponse ofPrompt(CalibratedRow row, RequestLengths lengths) {
        CalibratedDeployment prefilling = row.at().pair().prefill();
        double tokens = lengths.mean(0).inputTokens();
        return row.promptMemory(lengths)
                .map(memory -> from(
                        memory,
                        lengths.mean(0).cachedPrompt(memory.cache()::heldBytes),
                        memory.requestsHeld(tokens) * tokens,
                        lengths.longestInput(),
                        prefilling))
                .orElseGet(() -> unknown(prefilling, row.cacheTokens()));
    }

    private static MemoryResponse from(
            RankMemory memory, double usedBytes, double cacheTokens, long longest, CalibratedDeployment deployment) {
        return new MemoryResponse(
                deployment.calibration().peaks().memoryBytes() / GIB,
                memory.weightsGib(),
                usedBytes / GIB,
                null,
                null,
                null,
                null,
                null,
                (memory.usableBytes() - usedBytes) / GIB,
                null,
                null,
                cacheTokens,
                EngineMemoryResponse.of(memory, longest));
    }

    /// Memory that the law does not cover; the request states the tokens of the KV cache.
    private static MemoryResponse unknown(CalibratedDeployment deployment, double cacheTokens) {
        return new MemoryResponse(
                deployment.calibration().peaks().memoryBytes() / GIB,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                cacheTokens,
                null);
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
                null);
    }

    /// Returns whether the activation was cut to a tenth.
    public boolean isAdjusted() {
        return Boolean.TRUE.equals(adjusted);
    }

    /// Returns whether the activation is verified against msmodeling.
    public boolean isExact() {
        return !Boolean.FALSE.equals(exact);
    }
}
