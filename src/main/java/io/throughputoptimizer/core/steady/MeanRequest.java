package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.workload.DecodeMix;
import io.throughputoptimizer.core.workload.LengthShare;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The mean of the requests that a law counts with.
///
/// Where they differ by shares, a prompt costs the mean of what each costs; those that decode at a time are those that
/// stay long, each by its output ([DecodeMix]). Lengths that are spread evenly up to a longest count as their mean.
///
/// @param inputTokens of a prompt; may be a fraction
/// @param outputTokens may be a fraction
/// @param prefixHitRate share of all prompts' tokens that lies in the cache already, from 0 to less than 1
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
    /// @param hitRates share of each of them that lies in the cache already; none where it is the same of all
    /// @param decoding those that decode at a time
    public record Mix(List<LengthShare> prompts, List<Double> hitRates, DecodeMix decoding) {
        public Mix {
            prompts = List.copyOf(prompts);
            hitRates = List.copyOf(hitRates);
            if (!hitRates.isEmpty() && hitRates.size() != prompts.size()) {
                throw new IllegalArgumentException(hitRates.size() + " hit rates of " + prompts.size() + " prompts");
            }
        }

        /// Of prompts of which the same share lies in the cache.
        public Mix(List<LengthShare> prompts, DecodeMix decoding) {
            this(prompts, List.of(), decoding);
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
    public record Prompts(double millis, double unevenness) {

        /// Of requests of which a share costs what one says and the others what the other says.
        ///
        /// @param share of the one, from 0 to 1
        public static Prompts of(Prompts one, Prompts other, double share) {
            double mean = share * one.millis + (1 - share) * other.millis;
            double square = share * one.square() + (1 - share) * other.square();
            return new Prompts(mean, square / (mean * mean));
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

    /// Causal pairs to compute: `(1 - h h) isl isl / 2`, in the mean; of several lengths each with its own `h`,
    /// where they have one.
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

    /// What prompts cost, each by itself.
    ///
    /// @param price of tokens and causal pairs, in milliseconds
    public Prompts prompts(DoubleBinaryOperator price) {
        if (mix == null) {
            return new Prompts(price.applyAsDouble(newTokens(), pairs()), 1);
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
        return new Prompts(mean, square / (mean * mean));
    }

    private double hitRate(Mix mixed, int prompt) {
        return mixed.hitRates.isEmpty() ? prefixHitRate : mixed.hitRates.get(prompt);
    }

    private static double pairs(double tokens, double hits) {
        return (1 - hits * hits) * tokens * tokens / 2;
    }
}
