package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.workload.DecodeMix;
import io.throughputoptimizer.core.workload.LengthShare;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;

/// The mean of the requests that a law counts with.
///
/// Where they differ by shares, a prompt costs the mean of what each costs; those that decode at a time are those that
/// stay long, each by its output ([DecodeMix]). Lengths that are spread evenly up to a longest count as their mean.
///
/// @param inputTokens of a prompt; may be a fraction
/// @param outputTokens may be a fraction
/// @param prefixHitRate share of a prompt that lies in the cache already, from 0 to less than 1
/// @param mix which lengths there are; absent where the mean stands for all
public record MeanRequest(
        double inputTokens,
        double outputTokens,
        double prefixHitRate,
        @Nullable Mix mix) {
    /// While a request decodes, the cache holds its prompt and this share of its output in the mean: half of it
    /// would be too little, because an engine keeps room for what is still to come.
    private static final double CACHED_OUTPUT = 0.75;

    /// Requests of several lengths.
    ///
    /// @param prompts with shares of the requests that add up to 1
    /// @param decoding those that decode at a time
    public record Mix(List<LengthShare> prompts, DecodeMix decoding) {
        public Mix {
            prompts = List.copyOf(prompts);
        }

        /// Mean of the prompts' squares.
        private double squareOfInput() {
            return prompts.stream()
                    .mapToDouble(one -> one.requestRatio() * one.tokens() * one.tokens())
                    .sum();
        }
    }

    /// What prompts cost.
    ///
    /// @param millis in the mean
    /// @param unevenness mean of the squares of their times over the square of the mean; 1 where they are alike
    public record Prompts(double millis, double unevenness) {}

    public MeanRequest {
        if (!(inputTokens > 0 && outputTokens > 0 && prefixHitRate >= 0 && prefixHitRate < 1)) {
            throw new IllegalArgumentException("a mean request of " + inputTokens + " and " + outputTokens + " tokens, "
                    + prefixHitRate + " of the prompt cached");
        }
    }

    /// All are alike.
    public MeanRequest(double inputTokens, double outputTokens, double prefixHitRate) {
        this(inputTokens, outputTokens, prefixHitRate, null);
    }

    /// Nothing of its prompt is cached.
    public MeanRequest(double inputTokens, double outputTokens) {
        this(inputTokens, outputTokens, 0);
    }

    /// Requests of several lengths.
    static MeanRequest of(Mix mix, double outputTokens, double prefixHitRate) {
        return new MeanRequest(LengthShare.mean(mix.prompts), outputTokens, prefixHitRate, mix);
    }

    /// Tokens of cache that one request takes: `isl + 0.75 osl`, of those that decode at a time.
    public double cachedTokens() {
        return cached(CacheUse.TOKENS);
    }

    /// What one request takes of the cache, of those that decode at a time.
    public double cached(CacheUse use) {
        return mix == null
                ? use.of(inputTokens + CACHED_OUTPUT * outputTokens)
                : mix.decoding.mean(one -> use.of(one.inputTokens() + CACHED_OUTPUT * one.outputTokens()));
    }

    /// What the prompt of one request takes of the cache.
    public double cachedPrompt(CacheUse use) {
        return mix == null
                ? use.of(inputTokens)
                : mix.prompts.stream()
                        .mapToDouble(one -> one.requestRatio() * use.of(one.tokens()))
                        .sum();
    }

    /// Tokens of a request half way through its output: `isl + osl/2`, of those that decode at a time.
    public double halfwayTokens() {
        return mix == null
                ? inputTokens + outputTokens / 2
                : mix.decoding.mean(one -> one.inputTokens() + one.outputTokens() / 2);
    }

    /// Prompt tokens to compute: `(1 - h) isl`.
    public double newTokens() {
        return (1 - prefixHitRate) * inputTokens;
    }

    /// Causal pairs to compute: `(1 - h h) isl isl / 2`, in the mean.
    public double pairs() {
        return mix == null ? pairs(inputTokens) : (1 - prefixHitRate * prefixHitRate) * mix.squareOfInput() / 2;
    }

    /// What prompts cost, each by itself.
    ///
    /// @param price of tokens and causal pairs, in milliseconds
    public Prompts prompts(DoubleBinaryOperator price) {
        if (mix == null) {
            return new Prompts(price.applyAsDouble(newTokens(), pairs()), 1);
        }
        double mean = 0;
        double square = 0;
        for (LengthShare one : mix.prompts) {
            double millis = price.applyAsDouble((1 - prefixHitRate) * one.tokens(), pairs(one.tokens()));
            mean += one.requestRatio() * millis;
            square += one.requestRatio() * millis * millis;
        }
        return new Prompts(mean, square / (mean * mean));
    }

    private double pairs(double tokens) {
        return (1 - prefixHitRate * prefixHitRate) * tokens * tokens / 2;
    }
}
