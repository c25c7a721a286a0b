package io.throughputoptimizer.api.result.figure;

import static io.throughputoptimizer.core.forward.MemoryFootprint.GIB;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.memory.RankMemory;
import org.jspecify.annotations.Nullable;

/// Device memory of one rank during a pass, in GB of 2^30 bytes.
@Schema(name = "RankMemory")
public record RankMemoryResponse(
        double totalGb,
        @Nullable Double weightGb,
        @Nullable Double kvCacheGb,
        @Nullable Double kvCachePerTokenGb,
        @Nullable Double availableGb,
        @Nullable Double kvTokens,
        @JsonUnwrapped @Nullable EngineMemoryResponse engine) {

    /// @param memory memory of the rank; absent where the law does not cover it
    /// @param cacheTokens tokens that the KV cache holds
    /// @param requests requests of the pass
    /// @param tokens tokens of each
    public static RankMemoryResponse from(
            double totalBytes, @Nullable RankMemory memory, double cacheTokens, double requests, double tokens) {
        if (memory == null) {
            Double stated = Double.isInfinite(cacheTokens) ? null : (Double) cacheTokens;
            return new RankMemoryResponse(totalBytes / GIB, null, null, null, null, stated, null);
        }
        double used = requests * memory.cache().heldBytes(tokens);
        return new RankMemoryResponse(
                totalBytes / GIB,
                memory.weightsGib(),
                used / GIB,
                memory.cache().heldBytes(tokens) / tokens / GIB,
                (memory.usableBytes() - used) / GIB,
                cacheTokens,
                EngineMemoryResponse.of(memory, tokens));
    }
}
