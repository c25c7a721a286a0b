package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Lever.Adjustable;
import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.search.Objective.TokensPerSecondPerUser;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Instances;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/// The searches that differ from one in a single setting, except device counts ([DeviceCounts]).
///
/// @param today the best plan, whose choices are varied
record Variants(Question question, Plan today) {
    private static final List<Double> LIMIT_FACTORS = List.of(0.8, 0.9, 1.1, 1.2);
    private static final List<Double> DEVICE_FACTORS = List.of(0.9, 1.1);
    private static final double HIT_RATE_STEP = 0.1;
    private static final MathContext NEAT = new MathContext(9);

    /// A changed search.
    record Variant(Change change, Question question) {
        /// Returns a variant with a limit or device parameter set to another amount.
        static Optional<Variant> of(Question question, Adjustable lever, double from, double to) {
            return of(Change.of(lever, from, to), question.with(lever, to));
        }

        static Optional<Variant> of(Change change, Optional<? extends Question> question) {
            return question.map(changed -> new Variant(change, changed));
        }
    }

    /// Returns all valid variants.
    List<Variant> all() {
        List<Variant> variants = new ArrayList<>();
        amounts(List.of(Lever.Limit.values()), LIMIT_FACTORS, variants);
        for (DeviceFigure figure : DeviceFigure.values()) {
            amounts(question.levers(figure), DEVICE_FACTORS, variants);
        }
        amounts(List.of(Lever.Transfer.values()), DEVICE_FACTORS, variants);
        variants.addAll(question.choices().others(today));
        tokenBudgets(variants);
        hitRates(variants);
        instanceSizes(variants);
        leastConcurrencies(variants);
        return variants;
    }

    /// Adds one variant per lever and factor.
    private void amounts(List<? extends Adjustable> levers, List<Double> factors, List<Variant> variants) {
        for (double factor : factors) {
            levers.forEach(lever -> scaled(lever, factor).ifPresent(variants::add));
        }
    }

    /// Returns a variant, or empty if the limit is infinite, meaning none is set.
    private Optional<Variant> scaled(Adjustable lever, double factor) {
        Double now = question.amount(lever);
        return now == null || Double.isInfinite(now * factor)
                ? Optional.empty()
                : Variant.of(question, lever, now, neat(now * factor));
    }

    /// Rounds to nine significant digits.
    private static double neat(double value) {
        return new BigDecimal(value).round(NEAT).doubleValue();
    }

    private void tokenBudgets(List<Variant> variants) {
        question.tokenBudget(today)
                .ifPresent(now -> halfAndTwice(now)
                        .filter(budget -> budget > 0)
                        .mapToObj(budget -> Variant.of(
                                Change.of(Choice.MAX_BATCHED_TOKENS, now, budget),
                                question.withTokenBudget((int) budget)))
                        .flatMap(Optional::stream)
                        .forEach(variants::add));
    }

    private void hitRates(List<Variant> variants) {
        question.hitRate()
                .ifPresent(now -> DoubleStream.of(neat(now - HIT_RATE_STEP), neat(now + HIT_RATE_STEP))
                        .filter(rate -> rate >= 0 && rate < 1)
                        .mapToObj(rate -> Variant.of(
                                Change.of(Choice.PREFIX_CACHE_HIT_RATE, now, rate), question.withHitRate(rate)))
                        .flatMap(Optional::stream)
                        .forEach(variants::add));
    }

    private static LongStream halfAndTwice(int now) {
        return LongStream.of(now / 2L, now * 2L).filter(other -> other <= Integer.MAX_VALUE);
    }

    /// Adds variants with half and double the devices of an instance, if there is one size.
    private void instanceSizes(List<Variant> variants) {
        Pairing now = question.resizable();
        if (now != null) {
            Function<Instances, Pairing> prefill = other -> new Pairing(other, now.decode(), now.transfer());
            Function<Instances, Pairing> decode = other -> new Pairing(now.prefill(), other, now.transfer());
            otherSizes(Choice.PREFILL_DEVICES, now.prefill(), prefill, variants);
            otherSizes(Choice.DECODE_DEVICES, now.decode(), decode, variants);
        }
    }

    private void otherSizes(Choice lever, Instances now, Function<Instances, Pairing> changed, List<Variant> variants) {
        if (now.sizes().size() == 1) {
            int today = now.sizes().getFirst();
            halfAndTwice(today)
                    .filter(size -> size > today || today % 2 == 0)
                    .mapToObj(size -> new Instances(List.of((int) size), now.kinds()))
                    .flatMap(other ->
                            Variant.of(Change.of(lever, today, other.least()), question.with(changed.apply(other)))
                                    .stream())
                    .forEach(variants::add);
        }
    }

    /// Adds variants with half and double the minimum concurrency, for the objective tokens per second per
    /// user.
    private void leastConcurrencies(List<Variant> variants) {
        if (question.objective() instanceof TokensPerSecondPerUser(int now)) {
            halfAndTwice(now)
                    .filter(least -> least > 0)
                    .mapToObj(least -> Variant.of(
                            Change.of(Choice.LEAST_CONCURRENCY, now, least),
                            question.with(new TokensPerSecondPerUser((int) least))))
                    .flatMap(Optional::stream)
                    .forEach(variants::add);
        }
    }
}
