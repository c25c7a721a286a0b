package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.workload.Conversation;
import io.throughputoptimizer.core.workload.DecodeMix;
import io.throughputoptimizer.core.workload.LengthShare;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/// Lengths of conversation turns, each turn equally frequent. The turn of a request depends on its client, so
/// without clients the requests cycle through the turns.
///
/// @param keeping part of a turn that is cached for the next one
public record TurnLengths(Conversation conversation, PrefixCacheRetention keeping) implements RequestLengths {
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

    /// Returns lengths of independent requests.
    @Override
    public RequestLengths withInput(int tokens) {
        return new SpreadLengths(tokens, conversation.generatedTokens(), 1);
    }

    /// Returns the mean request if every turn hits the cache.
    @Override
    public MeanRequest mean(double prefixHitRate) {
        return mean();
    }

    MeanRequest mean() {
        return meanFound(conversation.keepsCache() ? 1 : 0);
    }

    /// Returns the mean request at a hit share.
    ///
    /// @param found share of the turns after the first that hit the cache, from 0 to 1
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
