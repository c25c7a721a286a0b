package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.workload.DecodeMix;
import io.throughputoptimizer.core.workload.LengthShare;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Mean request of a steady-state law.
///
/// For requests of several lengths, the prompt cost is the mean over the prompts; the decode batch is weighted
/// by output length, since long outputs stay longer ([DecodeMix]). Lengths spread evenly up to a longest count
/// as their mean.
///
/// @param inputTokens mean prompt tokens; may be fractional
/// @param outputTokens mean output tokens; may be fractional
/// @param prefixHitRate cached share of all prompt tokens, from 0 to less than 1
/// @param mix distribution of lengths; absent if the mean represents all
public record MeanRequest(
        double inputTokens,
        double outputTokens,
        double prefixHitRate,
        @Nullable Mix mix) {
    /// Mean cached share of a decoding request's output. Half would be too little, because an engine reserves
    /// space for the rest of the output.
    private static final double CACHED_OUTPUT = 0.75;

    /// Requests of several lengths.
    ///
    /// @param prompts prompt lengths, with shares of the requests that add up to 1
    /// @param hitRates cached share of each prompt length; empty if all have the same
    /// @param decoding lengths in the decode batch
    public record Mix(List<LengthShare> prompts, List<Double> hitRates, DecodeMix decoding) {
        public Mix {
            prompts = List.copyOf(prompts);
            hitRates = List.copyOf(hitRates);
            if (!hitRates.isEmpty() && hitRates.size() != prompts.size()) {
                throw new IllegalArgumentException(hitRates.size() + " hit rates of " + prompts.size() + " prompts");
            }
        }

        /// Returns the mean of the squared prompt lengths.
        private double squareOfInput() {
            return prompts.stream()
                    .mapToDouble(one -> one.requestRatio() * one.tokens() * one.tokens())
                    .sum();
        }
    }

    /// Cost of prompts.
    ///
    /// @param millis mean time, in ms
    /// @param unevenness mean of the squared times over the square of the mean; 1 for equal prompts
    /// @param tokens mean tokens to compute
    /// @param pairs mean causal pairs to compute
    public record Prompts(double millis, double unevenness, double tokens, double pairs) {
        /// Creates the cost of prompts in steps without a token budget.
        public Prompts(double millis, double unevenness) {
            this(millis, unevenness, 0, 0);
        }

        /// Returns the cost of a mixture of two prompt populations.
        ///
        /// @param share share of `one`, from 0 to 1
        public static Prompts of(Prompts one, Prompts other, double share) {
            double mean = share * one.millis + (1 - share) * other.millis;
            double square = share * one.square() + (1 - share) * other.square();
            return new Prompts(
                    mean,
                    square / (mean * mean),
                    share * one.tokens + (1 - share) * other.tokens,
                    share * one.pairs + (1 - share) * other.pairs);
        }

        private double square() {
            return unevenness * millis * millis;
        }
    }

    public MeanRequest {
        if (!(inputTokens > 0 && outputTokens > 0 && prefixHitRate >= 0 && prefixHitRate < 1)) {
            throw new IllegalArgumentException("a mean request of " + inputTokens + " and " + outputTokens + " tokens, "
                    + prefixHitRate + " of the prompt cached");
        }
    }

    /// Returns the mean of requests of several lengths.
    static MeanRequest of(Mix mix, double outputTokens, double prefixHitRate) {
        return new MeanRequest(LengthShare.mean(mix.prompts), outputTokens, prefixHitRate, mix);
    }

    /// Returns the mean cache tokens of a decoding request: `isl + 0.75 osl`.
    public double cachedTokens() {
        return cached(CacheUse.TOKENS);
    }

    /// Returns the mean cache use of a decoding request.
    public double cached(CacheUse use) {
        return mix == null
                ? use.of(inputTokens + CACHED_OUTPUT * outputTokens)
                : mix.decoding.mean(one -> use.of(one.inputTokens() + CACHED_OUTPUT * one.outputTokens()));
    }

    /// Returns the mean cache use of a prompt.
    public double cachedPrompt(CacheUse use) {
        return mix == null
                ? use.of(inputTokens)
                : mix.prompts.stream()
                        .mapToDouble(one -> one.requestRatio() * use.of(one.tokens()))
                        .sum();
    }

    /// Returns the mean context of a decoding request halfway through its output: `isl + osl/2`.
    public double halfwayTokens() {
        return mix == null
                ? inputTokens + outputTokens / 2
                : mix.decoding.mean(one -> one.inputTokens() + one.outputTokens() / 2);
    }

    /// Returns the mean prompt tokens to compute: `(1 - h) isl`.
    public double newTokens() {
        return (1 - prefixHitRate) * inputTokens;
    }

    /// Returns the mean causal pairs to compute: `(1 - h h) isl isl / 2`, with the `h` of each length if they
    /// differ.
    public double pairs() {
        if (mix == null) {
            return pairs(inputTokens, prefixHitRate);
        }
        return mix.hitRates.isEmpty()
                ? (1 - prefixHitRate * prefixHitRate) * mix.squareOfInput() / 2
                : IntStream.range(0, mix.prompts.size())
                        .mapToDouble(one -> mix.prompts.get(one).requestRatio()
                                * pairs(mix.prompts.get(one).tokens(), hitRate(mix, one)))
                        .sum();
    }

    /// Returns the cost of prompts, each computed separately.
    ///
    /// @param price time by tokens and causal pairs, in ms
    public Prompts prompts(DoubleBinaryOperator price) {
        if (mix == null) {
            return new Prompts(price.applyAsDouble(newTokens(), pairs()), 1, newTokens(), pairs());
        }
        double mean = 0;
        double square = 0;
        for (int index = 0; index < mix.prompts.size(); index++) {
            LengthShare one = mix.prompts.get(index);
            double hits = hitRate(mix, index);
            double millis = price.applyAsDouble((1 - hits) * one.tokens(), pairs(one.tokens(), hits));
            mean += one.requestRatio() * millis;
            square += one.requestRatio() * millis * millis;
        }
        return new Prompts(mean, square / (mean * mean), newTokens(), pairs());
    }

    private double hitRate(Mix mixed, int prompt) {
        return mixed.hitRates.isEmpty() ? prefixHitRate : mixed.hitRates.get(prompt);
    }

    private static double pairs(double tokens, double hits) {
        return (1 - hits * hits) * tokens * tokens / 2;
    }
}
