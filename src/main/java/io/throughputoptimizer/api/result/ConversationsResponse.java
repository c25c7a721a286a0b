package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.load.PrefixCacheStats;
import org.jspecify.annotations.Nullable;

/// Hits of the prefix cache between turns, for a row.
@Schema(
        name = "Conversations",
        description = "Prefix cache across turns. Requires `workload.conversation` with several turns.")
public record ConversationsResponse(
        @Schema(
                description =
                        "Share of all tokens of prompts that are found in the cache; with `workload.conversation`.",
                example = "0.871")
        @Nullable
        Double hitRate,

        @Schema(
                description = "Fraction of turns after the first that find the previous turn in the cache. 1 if the"
                        + " cache holds all conversations in their think time. Requires `workload.conversation`.",
                example = "0.93")
        @Nullable
        Double turnsFound,

        @Schema(
                description = "Open conversations of the whole deployment: `concurrency` plus conversations in"
                        + " their think time. Requires `workload.conversation`.",
                example = "310.5")
        @Nullable
        Double openConversations,

        @Schema(
                description = "Cached tokens per rank that will be used again: contexts of conversations in their"
                        + " think time. For calibrated pairs: of a prefill rank, with those whose response is"
                        + " being generated. Requires `workload.conversation`.",
                example = "412000")
        @Nullable
        Double neededKvTokens,

        @Schema(
                description = "KV cache capacity per rank in tokens, less the tokens of running requests. Cached"
                        + " tokens that will not be used again share it, because the engine cannot tell them"
                        + " apart. Requires `workload.conversation`.",
                example = "380000")
        @Nullable
        Double roomKvTokens) {

    /// @param ranks of the deployment
    static @Nullable ConversationsResponse of(@Nullable PrefixCacheStats kept, double ranks) {
        return kept == null
                ? null
                : new ConversationsResponse(
                        kept.hitRate(),
                        kept.found(),
                        ranks * kept.conversations(),
                        kept.neededTokens(),
                        kept.roomTokens());
    }

    /// Returns the response, or null.
    static @Nullable ConversationsResponse orAbsent(@Nullable ConversationsResponse kept) {
        return kept == null || kept.hitRate == null ? null : kept;
    }
}
