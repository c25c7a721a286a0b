package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.workload.Conversation;

/// Tokens of a KV cache that a turn of a conversation takes, and what it leaves there.
///
/// @param taken by its prompt and its answer while it runs
/// @param left of these once it has ended, beside what all conversations begin with
/// @param useful those of `left` that the next turn finds
record TurnCache(double taken, double left, double useful) {
    static TurnCache of(Conversation conversation, CacheUse use, int turn) {
        double shared = use.of(conversation.shared());
        double taken = use.of(conversation.prompt(turn) + (double) conversation.generatedTokens());
        boolean goesOn = turn < conversation.turns() && conversation.keepsCache();
        return new TurnCache(taken, taken - shared, goesOn ? use.of(conversation.cached(turn + 1)) - shared : 0);
    }

    /// Of a rank that computes prompts alone and never sees an answer: its next turn finds the prompt of this one.
    static TurnCache ofPrompt(Conversation conversation, CacheUse use, int turn) {
        double taken = use.of(conversation.prompt(turn));
        double left = taken - use.of(conversation.shared());
        boolean goesOn = turn < conversation.turns() && conversation.keepsCache();
        return new TurnCache(taken, left, goesOn ? left : 0);
    }

    /// What nobody asks for again.
    double dead() {
        return left - useful;
    }
}
