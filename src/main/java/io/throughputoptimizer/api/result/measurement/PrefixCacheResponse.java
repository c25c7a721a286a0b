package io.throughputoptimizer.api.result.measurement;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.trace.TraceReader.PromptBlocks;
import io.throughputoptimizer.core.workload.PrefixReuse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Prefix cache hits of a trace, by cache size.
@Schema(
        name = "TracePrefixCache",
        description = "What a prefix cache would find of the prompts of a trace, by its size.")
public record PrefixCacheResponse(
        @Schema(description = "Tokens of a block, as asked.", example = "512")
        int blockTokens,

        @Schema(description = "Blocks that differ, of all prompts.", example = "183166")
        int distinctBlocks,

        @Schema(
                description = "Share of the tokens of all prompts that a cache would find that never forgets.",
                example = "0.58")
        double highestHitRate,

        @Schema(description = "The size that was asked for, in tokens; absent without one.", example = "2000000")
        @Nullable
        Long cacheTokens,

        @Schema(
                description =
                        "Share that a cache of `cache_tokens` would find; `prefix_cache_hit_rate` of both workloads.",
                example = "0.41")
        @Nullable
        Double hitRate,

        @Schema(
                description =
                        "Sizes of one block, two, four and so on, up to the first that holds all blocks that differ.")
        List<HitsResponse> curve) {

    /// Hits of a cache of one size.
    @Schema(name = "TracePrefixHits", description = "What a prefix cache of one size would find.")
    public record HitsResponse(
            @Schema(description = "Size of the cache in tokens.", example = "1048576")
            long cacheTokens,

            @Schema(description = "Share of the tokens of all prompts.", example = "0.35")
            double hitRate) {}

    static PrefixCacheResponse of(PrefixReuse reuse, PromptBlocks blocks) {
        Long asked = blocks.cacheTokens();
        return new PrefixCacheResponse(
                blocks.tokens(),
                reuse.blocks(),
                reuse.highestHitRate(),
                asked,
                asked == null ? null : (Double) reuse.hitRate(asked),
                reuse.curve().stream()
                        .map(hits -> new HitsResponse(hits.cacheTokens(), hits.hitRate()))
                        .toList());
    }
}
