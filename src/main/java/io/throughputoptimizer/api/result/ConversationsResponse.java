package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.load.PrefixCacheStats;
import org.jspecify.annotations.Nullable;

/// Hits of the prefix cache between turns, for a row.
@Schema(
        name = "Conversations",
        description = "What the prefix cache keeps from turn to turn; with `workload.conversation` of several turns.")
public record ConversationsResponse(
        @Schema(
                description =
                        "Share of all tokens of prompts that are found in the cache; with `workload.conversation`.",
                example = "0.871")
        @Nullable
        Double hitRate,

        @Schema(
                description = "Share of the turns after the first that find the turn before: 1 where the cache has room"
                        + " for all who think; with `workload.conversation`.",
                example = "0.93")
        @Nullable
        Double turnsFound,

        @Schema(
                description = "Conversations that are open at once at the whole deployment: `concurrency`, and those"
                        + " whose user thinks; with `workload.conversation`.",
                example = "310.5")
        @Nullable
        Double openConversations,

        @Schema(
                description = "Tokens of the KV cache of a rank that those whose user thinks would find again; of pairs"
                        + " on measured devices of a rank that prefills, and those too whose answer is generated. With"
                        + " `workload.conversation`.",
                example = "412000")
        @Nullable
        Double neededKvTokens,

        @Schema(
                description = "Tokens of the KV cache of that rank that requests which run leave to what is kept; what"
                        + " nobody will ask for again takes its share of them, as the engine does not know it. With"
                        + " `workload.conversation`.",
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
