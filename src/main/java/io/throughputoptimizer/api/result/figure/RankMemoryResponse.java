package io.throughputoptimizer.api.result.figure;

import static io.throughputoptimizer.core.forward.MemoryFootprint.GIB;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.silicon.RankPass;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.silicon.SiliconMemory;
import org.jspecify.annotations.Nullable;

/// Device memory of one rank as an engine divides it. An estimate: measured servers differ by tens of percent.
@Schema(
        name = "RankMemory",
        description = "Device memory of one rank as the engine divides it, in GB of 2^30 bytes. An estimate: measured"
                + " servers differ by tens of percent.")
public record RankMemoryResponse(
        @Schema(description = "Capacity of the device.", example = "80.0")
        double totalGb,

        @Schema(description = "Weights with their scales.") double weightGb,

        @Schema(description = "KV cache of the requests.") double kvCacheGb,

        @Schema(description = "KV cache of one token.") double kvCachePerTokenGb,

        @Schema(description = "Tokens that the KV cache holds; 0 or less when the weights leave no room.")
        double kvTokens,

        @Schema(description = "KV cache that is left; negative when the requests do not fit.")
        double availableGb,

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

    /// @param cacheTokens that the KV cache holds
    public static RankMemoryResponse from(SiliconDeployment deployment, double cacheTokens, RankPass pass) {
        SiliconMemory memory = SiliconMemory.of(deployment);
        double usedTokens = memory.request().isOfTokensAlone()
                ? pass.cachedTokens()
                : pass.requests() * memory.cacheUse().of(pass.cachedTokens() / pass.requests());
        double token = memory.cacheBytesPerToken() / GIB;
        return new RankMemoryResponse(
                deployment.calibration().peaks().memoryBytes() / GIB,
                memory.weightBytes() / GIB,
                usedTokens * token,
                token,
                cacheTokens,
                (cacheTokens - usedTokens) * token,
                MemoryResponse.perToken(memory),
                MemoryResponse.constant(memory));
    }
}
