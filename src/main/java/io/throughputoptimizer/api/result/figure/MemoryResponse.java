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
@Schema(name = "Memory")
public record MemoryResponse(
        double totalGb,
        @Nullable Double weightGb,
        @Nullable Double kvCacheGb,
        @Nullable Double kvCachePerTokenGb,
        @Nullable Integer kvCapacityMultiplier,
        @Nullable Double stateGb,
        @Nullable Double activationGb,
        @Nullable Double reservedGb,
        @Nullable Double availableGb,
        @Nullable Boolean adjusted,
        @Nullable Boolean exact,
        @Nullable Double kvTokens,
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

    /// @param neededBytes cache of the running requests; a server with less cache than that lets the last one wait
    private static MemoryResponse from(
            RankMemory memory, double neededBytes, double cacheTokens, long longest, CalibratedDeployment deployment) {
        double usedBytes = Math.min(neededBytes, memory.usableBytes());
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
