package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.workload.Conversation;

/// What of a turn the prefix cache of a rank keeps for the next one.
public enum Keeping {
    /// All of it, where the rank that computes a prompt generates the answer.
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
    /// Its prompt, where the answer is generated elsewhere.
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

    /// Tokens of the prompt of a turn that lie where the one before was computed.
    abstract int cached(Conversation conversation, int turn);

    /// Share of all tokens of prompts that are found.
    ///
    /// @param found share of the turns after the first that find the one before
    double hitRate(Conversation conversation, double found) {
        return conversation.hitRate(found, turn -> cached(conversation, turn));
    }

    /// What a turn takes of the cache, and what it leaves there.
    abstract TurnCaches.Turn cache(Conversation conversation, CacheUse use, int turn);
}
