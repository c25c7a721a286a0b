package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.workload.Conversation;

/// Part of a turn that the prefix cache of a rank retains for the next turn.
public enum PrefixCacheRetention {
    /// Prompt and output: the rank that computes the prompt also generates the output.
    PROMPT_AND_ANSWER {
        @Override
        int cached(Conversation conversation, int turn) {
            return conversation.cached(turn);
        }

        @Override
        TurnCaches.Turn cache(Conversation conversation, CacheUse use, int turn) {
            return TurnCaches.Turn.of(conversation, use, turn);
        }
    },
    /// Prompt only: another rank generates the output.
    PROMPT {
        @Override
        int cached(Conversation conversation, int turn) {
            return conversation.cachedOfPrompt(turn);
        }

        @Override
        TurnCaches.Turn cache(Conversation conversation, CacheUse use, int turn) {
            return TurnCaches.Turn.ofPrompt(conversation, use, turn);
        }
    };

    /// Returns the prompt tokens of a turn that its previous turn has cached.
    abstract int cached(Conversation conversation, int turn);

    /// Returns the cached share of all prompt tokens.
    ///
    /// @param found share of the turns after the first that hit the cache
    double hitRate(Conversation conversation, double found) {
        return conversation.hitRate(found, turn -> cached(conversation, turn));
    }

    /// Returns the cache use of a turn while it runs and after it.
    abstract TurnCaches.Turn cache(Conversation conversation, CacheUse use, int turn);
}
