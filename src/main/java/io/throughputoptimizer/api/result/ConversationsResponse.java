package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.load.PrefixCacheStats;
import org.jspecify.annotations.Nullable;

/// Hits of the prefix cache between turns, for a row.
@Schema(name = "Conversations")
public record ConversationsResponse(
        @Nullable Double hitRate,
        @Nullable Double turnsFound,
        @Nullable Double openConversations,
        @Nullable Double neededKvTokens,
        @Nullable Double roomKvTokens) {

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
