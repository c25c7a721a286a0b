package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.explain.Lever.Adjustable;
import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.search.DraftTokenAxis;
import io.throughputoptimizer.core.search.Objective.TokensPerSecondPerUser;
import io.throughputoptimizer.core.search.OptimizationProblem.Axes;
import io.throughputoptimizer.core.search.QuantizationAxis;
import io.throughputoptimizer.core.search.TokenBudgetAxis;
import io.throughputoptimizer.core.workload.Workload;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The questions that differ from one in a single thing; device counts aside, which are searched for.
///
/// @param today the best plan, whose choices are changed
record Variants(Question question, Plan today) {
    private static final List<Double> LIMIT_FACTORS = List.of(0.8, 0.9, 1.1, 1.2);
    private static final List<Double> DEVICE_FACTORS = List.of(0.9, 1.1);
    private static final double HIT_RATE_STEP = 0.1;
    private static final MathContext NEAT = new MathContext(9);

    /// A changed question.
    record Variant(Change change, Asked question) {
        /// A limit, or a figure of the device, set to another amount.
        static Optional<Variant> of(Asked question, Adjustable lever, double from, double to) {
            return of(Change.of(lever, from, to), question.with(lever, to));
        }

        static Optional<Variant> of(Change change, Optional<? extends Asked> question) {
            return question.map(changed -> new Variant(change, changed));
        }
    }

    /// Those that can be asked; what cannot be changed is left out.
    List<Variant> all() {
        List<Optional<Variant>> variants = new ArrayList<>();
        limits(question, variants);
        devices(question, variants);
        transfers(question, variants);
        quantizations(variants);
        nonExpertQuantizations(variants);
        draftTokens(variants);
        tokenBudgets(variants);
        hitRates(variants);
        leastConcurrencies(question, variants);
        return variants.stream().flatMap(Optional::stream).toList();
    }

    /// Limits, each looser and stricter.
    static void limits(Asked question, List<Optional<Variant>> variants) {
        amounts(question, List.of(Lever.Limit.values()), LIMIT_FACTORS, variants);
    }

    /// Figures of the device, each higher and lower.
    static void devices(Asked question, List<Optional<Variant>> variants) {
        for (DeviceFigure figure : DeviceFigure.values()) {
            amounts(question, question.levers(figure), DEVICE_FACTORS, variants);
        }
    }

    /// The way of KV caches to decode, faster and slower.
    static void transfers(Asked question, List<Optional<Variant>> variants) {
        amounts(question, List.of(Lever.Transfer.values()), DEVICE_FACTORS, variants);
    }

    private static void amounts(
            Asked question, List<? extends Adjustable> levers, List<Double> factors, List<Optional<Variant>> variants) {
        for (double factor : factors) {
            levers.forEach(lever -> variants.add(scaled(question, lever, factor)));
        }
    }

    /// Nothing where the limit is infinite, which is none.
    private static Optional<Variant> scaled(Asked question, Adjustable lever, double factor) {
        Double now = question.amount(lever);
        return now == null || Double.isInfinite(now * factor)
                ? Optional.empty()
                : Variant.of(question, lever, now, neat(now * factor));
    }

    /// The same number as people would write it: with nine significant digits.
    private static double neat(double value) {
        return new BigDecimal(value).round(NEAT).doubleValue();
    }

    private void quantizations(List<Optional<Variant>> variants) {
        QuantizationScheme scheme = today.chosen().candidate().deployment().quantization();
        QuantizationAxis axis = axes().quantization();
        for (AttentionQuantization cache : AttentionQuantization.values()) {
            if (!axis.attention().contains(cache) && question.rates(cache)) {
                variants.add(Variant.of(
                        Change.of(Choice.CACHE_QUANTIZATION, scheme.attention(), cache),
                        with(scheme.withAttention(cache))));
            }
        }
        for (LinearQuantization linear : LinearQuantization.values()) {
            if (!axis.linear().contains(linear) && question.rates(linear)) {
                variants.add(Variant.of(
                        Change.of(Choice.LINEAR_QUANTIZATION, scheme.linear(), linear),
                        with(scheme.withLinear(linear))));
            }
        }
    }

    /// Only where the question has a scheme for them.
    private void nonExpertQuantizations(List<Optional<Variant>> variants) {
        QuantizationScheme scheme = today.chosen().candidate().deployment().quantization();
        List<LinearQuantization> asked = axes().quantization().nonExpertLinear();
        for (LinearQuantization other : LinearQuantization.values()) {
            if (!asked.isEmpty() && !asked.contains(other) && question.rates(other)) {
                variants.add(Variant.of(
                        Change.of(Choice.NON_EXPERT_QUANTIZATION, scheme.nonExperts(), other),
                        with(scheme.withNonExpertLinear(other))));
            }
        }
    }

    private Optional<Question> with(QuantizationScheme scheme) {
        return question.with(axes().with(QuantizationAxis.of(scheme)));
    }

    private void draftTokens(List<Optional<Variant>> variants) {
        int now = today.chosen().candidate().draftTokens();
        for (int drafts : List.of(now - 1, now + 1)) {
            if (drafts >= 0 && !axes().draftTokens().counts().contains(drafts)) {
                Axes changed = axes().with(new DraftTokenAxis(List.of(drafts)));
                variants.add(Variant.of(Change.of(Choice.DRAFT_TOKENS, now, drafts), question.with(changed)));
            }
        }
    }

    private void tokenBudgets(List<Optional<Variant>> variants) {
        int now = today.chosen().maxBatchedTokens();
        for (long budget : List.of(now / 2L, now * 2L)) {
            if (budget > 0 && budget <= Integer.MAX_VALUE) {
                Axes changed = axes().with(new TokenBudgetAxis(List.of((int) budget)));
                variants.add(Variant.of(Change.of(Choice.TOKEN_BUDGET, now, budget), question.with(changed)));
            }
        }
    }

    private Axes axes() {
        return question.problem().search().axes();
    }

    private void hitRates(List<Optional<Variant>> variants) {
        Workload workload = question.workload();
        double now = workload.prefixCacheHitRate();
        for (double rate : hitRates(now)) {
            variants.add(Variant.of(
                    Change.of(Choice.PREFIX_CACHE_HIT_RATE, now, rate), question.with(workload.withPrefixHits(rate))));
        }
    }

    /// Half and twice the requests that plans must serve at once, where they are ranked by what one user sees.
    static void leastConcurrencies(Asked question, List<Optional<Variant>> variants) {
        if (question.objective() instanceof TokensPerSecondPerUser(int now)) {
            for (long least : List.of(now / 2L, now * 2L)) {
                if (least > 0 && least <= Integer.MAX_VALUE) {
                    variants.add(Variant.of(
                            Change.of(Choice.LEAST_CONCURRENCY, now, least),
                            question.with(new TokensPerSecondPerUser((int) least))));
                }
            }
        }
    }

    /// Those to try beside one.
    static List<Double> hitRates(double now) {
        return Stream.of(neat(now - HIT_RATE_STEP), neat(now + HIT_RATE_STEP))
                .filter(rate -> rate >= 0 && rate < 1)
                .toList();
    }
}
