package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.workload.Conversation;
import io.throughputoptimizer.core.workload.DecodeMix;
import io.throughputoptimizer.core.workload.LengthShare;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/// The turns of conversations, as many of each. Which turn a request is depends on who sends it, so that the lengths of
/// a request by itself are those of one turn after the other.
///
/// @param keeping what of a turn is kept for the next one
public record TurnLengths(Conversation conversation, Keeping keeping) implements RequestLengths {
    /// Of ranks that do both phases.
    public TurnLengths(Conversation conversation) {
        this(conversation, Keeping.PROMPT_AND_ANSWER);
    }

    @Override
    public int input(int request) {
        return conversation.prompt(request % conversation.turns() + 1);
    }

    @Override
    public int output(int request) {
        return conversation.generatedTokens();
    }

    @Override
    public int longestInput() {
        return conversation.longestPrompt();
    }

    @Override
    public int longestOutput() {
        return conversation.generatedTokens();
    }

    @Override
    public boolean areEqual() {
        return false;
    }

    @Override
    public OptionalInt namedInput() {
        return OptionalInt.empty();
    }

    @Override
    public OptionalInt namedOutput() {
        return OptionalInt.of(conversation.generatedTokens());
    }

    /// Those of no conversation.
    @Override
    public RequestLengths withInput(int tokens) {
        return new SpreadLengths(tokens, conversation.generatedTokens(), 1);
    }

    /// Of turns that all find what the one before has left.
    @Override
    public MeanRequest mean(double prefixHitRate) {
        return mean();
    }

    MeanRequest mean() {
        return meanFound(conversation.keepsCache() ? 1 : 0);
    }

    /// Of turns of which a share finds what the one before has left.
    ///
    /// @param found of the turns after the first, from 0 to 1
    MeanRequest meanFound(double found) {
        List<LengthShare> prompts = new ArrayList<>();
        List<Double> hits = new ArrayList<>();
        double share = 1.0 / conversation.turns();
        for (int turn = 1; turn <= conversation.turns(); turn++) {
            int tokens = conversation.prompt(turn);
            double present = turn == 1 ? 0 : found;
            if (present > 0) {
                prompts.add(new LengthShare(tokens, present * share));
                hits.add((double) keeping.cached(conversation, turn) / tokens);
            }
            if (present < 1) {
                prompts.add(new LengthShare(tokens, (1 - present) * share));
                hits.add((double) conversation.shared() / tokens);
            }
        }
        DecodeMix decoding =
                DecodeMix.of(conversation.prompts(), List.of(new LengthShare(conversation.generatedTokens(), 1)));
        return MeanRequest.of(
                new MeanRequest.Mix(prompts, hits, decoding),
                conversation.generatedTokens(),
                keeping.hitRate(conversation, found));
    }
}
