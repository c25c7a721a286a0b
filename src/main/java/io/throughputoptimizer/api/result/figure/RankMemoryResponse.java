package io.throughputoptimizer.api.result.figure;

import static io.throughputoptimizer.core.forward.MemoryFootprint.GIB;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.memory.RankMemory;
import org.jspecify.annotations.Nullable;

/// Device memory of one rank during a pass, in GB of 2^30 bytes.
@Schema(name = "RankMemory", description = "Device memory of one rank during a pass, in GB of 2^30 bytes.")
public record RankMemoryResponse(
        @Schema(description = "Capacity of the device.", example = "80.0")
        double totalGb,

        @Schema(description = "Weights with their scales.") @Nullable
        Double weightGb,

        @Schema(description = "KV cache of the requests of the pass.") @Nullable
        Double kvCacheGb,

        @Schema(description = "KV cache of a token, in the mean of a request of the pass.") @Nullable
        Double kvCachePerTokenGb,

        @Schema(description = "KV cache that is left; negative when the requests do not fit.") @Nullable
        Double availableGb,

        @Schema(
                description = "Tokens of requests like those of the pass that the KV cache holds; 0 or less when the"
                        + " server does not start. Absent where the memory is unknown.")
        @Nullable
        Double kvTokens,

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
