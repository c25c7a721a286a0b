package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.LengthDistributionRequest.Extent;
import io.throughputoptimizer.api.request.LengthDistributionRequest.Share;
import io.throughputoptimizer.api.wire.Composite;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.core.workload.Conversation;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.PositiveOrZero;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Requests that are turns of conversations, as they come over the wire.
@Schema(name = "Conversation")
public record ConversationRequest(
        @Required @Min(1) @Max(ConversationRequest.MOST_TURNS) @Nullable
        Integer turns,

        @PositiveOrZero @Max(Bounds.COUNT) @Nullable Integer systemTokens,
        @Required @Min(1) @Max(Bounds.COUNT) @Nullable Integer addedTokens,
        @Required @Min(1) @Max(Bounds.COUNT) @Nullable Integer generatedTokens,
        @PositiveOrZero @Max(Bounds.COUNT) @Nullable Integer thinkingTokens,
        @Nullable Boolean keepsThinking,
        @Nullable Boolean keepsCache,

        @PositiveOrZero @DecimalMax(ConversationRequest.LONGEST_PAUSE) @Nullable
        Double thinkTimeS)
        implements Composite {
    static final int MOST_TURNS = 256;
    static final String LONGEST_PAUSE = "1000000";
    private static final double MILLIS = 1000;
    private static final double PERCENT = 100;

    @Override
    public List<Violation> inconsistencies() {
        List<Violation> broken = new ArrayList<>();
        if (turns == null || addedTokens == null || generatedTokens == null) {
            return broken;
        }
        int thinking = requireNonNullElse(thinkingTokens, 0);
        if (thinking > generatedTokens) {
            broken.add(new Violation(
                    "/thinking_tokens", "must be at most generated_tokens (" + generatedTokens + "), got " + thinking));
            return broken;
        }
        long longest = requireNonNullElse(systemTokens, 0)
                + (long) turns * addedTokens
                + (turns - 1L) * (generatedTokens - dropped());
        if (longest > Bounds.COUNT) {
            broken.add(new Violation(
                    "/turns",
                    "must keep the last prompt within " + Bounds.COUNT + " tokens, got " + turns
                            + " turns with a last prompt of " + longest));
        }
        return broken;
    }

    private int dropped() {
        return Boolean.TRUE.equals(keepsThinking) ? 0 : requireNonNullElse(thinkingTokens, 0);
    }

    /// Returns whether no turn continues another.
    boolean isAlone() {
        return turns != null && turns == 1;
    }

    /// Returns whether the cache holds a part of every prompt.
    boolean findsPrefixes() {
        return requireNonNullElse(systemTokens, 0) > 0 && requireNonNullElse(keepsCache, true);
    }

    /// Returns the range of prompt lengths.
    public Extent extent() {
        Conversation asked = toConversation();
        return new Extent(asked.longestPrompt(), asked.meanPrompt());
    }

    /// Returns the share of requests by prompt length.
    public List<Share> shares() {
        return toConversation().prompts().stream()
                .map(one -> new Share(one.tokens(), one.requestRatio()))
                .toList();
    }

    /// Share of the prompts' tokens that a prefix cache finds at the most.
    public double highestHitRate() {
        return toConversation().hitRate(1);
    }

    /// Time in ms from an answer to the next turn.
    public double thinkMillis() {
        return toConversation().thinkMillis();
    }

    /// Describes the tokens that each turn adds.
    public String turnsInWords() {
        Conversation asked = toConversation();
        return asked.turns() + (asked.turns() == 1 ? " turn" : " turns") + " each, " + asked.addedTokens()
                + " tokens added and " + asked.generatedTokens() + " generated in each turn"
                + (asked.droppedTokens() == 0 ? "" : ", " + asked.droppedTokens() + " of them dropped")
                + (asked.systemTokens() == 0 ? "" : ", after " + asked.systemTokens() + " of all")
                + ", " + Decimals.general(asked.thinkMillis() / MILLIS) + " s between turns";
    }

    /// Describes the range of prompt lengths.
    public String promptsInWords() {
        Conversation asked = toConversation();
        return asked.prompt(1) + " to " + asked.longestPrompt() + " tokens, mean "
                + Decimals.general(asked.meanPrompt());
    }

    /// Describes the largest hit rate of a prefix cache.
    public String hitsInWords() {
        Conversation asked = toConversation();
        return asked.keepsCache()
                ? "up to " + Decimals.general(PERCENT * asked.hitRate(1)) + "%"
                : "none, as the engine keeps no cache";
    }

    /// Returns the conversation of a request that keeps its rules.
    public Conversation toConversation() {
        return new Conversation(
                requireNonNull(turns),
                requireNonNullElse(systemTokens, 0),
                requireNonNull(addedTokens),
                requireNonNull(generatedTokens),
                dropped(),
                requireNonNullElse(keepsCache, true),
                MILLIS * requireNonNullElse(thinkTimeS, 0.0));
    }
}
