package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.explain.Change.Lever;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.DraftTokenAxis;
import io.throughputoptimizer.core.search.OptimizationProblem.Axes;
import io.throughputoptimizer.core.search.QuantizationAxis;
import io.throughputoptimizer.core.search.TokenBudgetAxis;
import io.throughputoptimizer.core.workload.ServiceObjective;
import io.throughputoptimizer.core.workload.Workload;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The questions that differ from one in a single thing; device counts aside, which are searched for.
///
/// @param today the best plan, whose choices are changed
record Variants(Question question, Plan today) {
    private static final List<Double> LIMIT_FACTORS = List.of(0.8, 0.9, 1.1, 1.2);
    private static final List<Double> DEVICE_FACTORS = List.of(0.9, 1.1);
    private static final List<Lever> DEVICE_LEVERS = List.of(
            Lever.MEMORY_SIZE,
            Lever.MEMORY_BANDWIDTH,
            Lever.MATRIX_RATE,
            Lever.LINK_BANDWIDTH,
            Lever.LINK_LATENCY,
            Lever.STATIC_COSTS);
    private static final double HIT_RATE_STEP = 0.1;
    private static final double PERCENT = 100;
    private static final MathContext NEAT = new MathContext(9);

    /// A changed question.
    record Variant(Change change, Question question) {
        static Optional<Variant> of(Change change, Optional<Question> question) {
            return question.map(changed -> new Variant(change, changed));
        }
    }

    /// Those that can be asked; what cannot be changed is left out.
    List<Variant> all() {
        List<Optional<Variant>> variants = new ArrayList<>();
        limits(variants);
        device(variants);
        quantizations(variants);
        draftTokens(variants);
        tokenBudgets(variants);
        hitRates(variants);
        return variants.stream().flatMap(Optional::stream).toList();
    }

    private void limits(List<Optional<Variant>> variants) {
        ServiceObjective limits = question.limits();
        Double ttft = limits.ttftMillis();
        Double tpot = limits.tpotMillis();
        for (double factor : LIMIT_FACTORS) {
            if (ttft != null) {
                variants.add(ttftLimit(question, neat(ttft * factor)));
            }
            if (tpot != null) {
                variants.add(tpotLimit(question, neat(tpot * factor)));
            }
        }
    }

    static Optional<Variant> ttftLimit(Question question, double millis) {
        ServiceObjective limits = question.limits();
        return limit(
                question,
                Lever.TTFT_LIMIT,
                limits.ttftMillis(),
                millis,
                new ServiceObjective(millis, limits.tpotMillis()));
    }

    static Optional<Variant> tpotLimit(Question question, double millis) {
        ServiceObjective limits = question.limits();
        return limit(
                question,
                Lever.TPOT_LIMIT,
                limits.tpotMillis(),
                millis,
                new ServiceObjective(limits.ttftMillis(), millis));
    }

    private static Optional<Variant> limit(
            Question question, Lever lever, @Nullable Double from, double to, ServiceObjective limits) {
        return from == null ? Optional.empty() : Variant.of(Change.of(lever, from, to), question.with(limits));
    }

    private void device(List<Optional<Variant>> variants) {
        for (Lever lever : DEVICE_LEVERS) {
            for (double factor : DEVICE_FACTORS) {
                double base = lever == Lever.MEMORY_SIZE ? gib(question) : PERCENT;
                double changed = neat(base * factor);
                variants.add(Variant.of(
                        Change.of(lever, base, changed),
                        question.with(new ScaledDevice(question.device(), changed / base).of(lever))));
            }
        }
    }

    /// The same number as people would write it: with nine significant digits.
    private static double neat(double value) {
        return new BigDecimal(value).round(NEAT).doubleValue();
    }

    static double gib(Question question) {
        return question.device().memory().capacityBytes() / MemoryFootprint.GIB;
    }

    private void quantizations(List<Optional<Variant>> variants) {
        QuantizationScheme scheme = today.candidate().deployment().quantization();
        QuantizationAxis axis = axes().quantization();
        for (AttentionQuantization cache : AttentionQuantization.values()) {
            if (!axis.attention().contains(cache)) {
                variants.add(Variant.of(
                        Change.of(Lever.CACHE_QUANTIZATION, scheme.attention(), cache),
                        with(new QuantizationScheme(scheme.linear(), cache, scheme.mxfp4GroupSize()))));
            }
        }
        for (LinearQuantization linear : LinearQuantization.values()) {
            if (!axis.linear().contains(linear)) {
                variants.add(Variant.of(
                        Change.of(Lever.LINEAR_QUANTIZATION, scheme.linear(), linear),
                        with(new QuantizationScheme(linear, scheme.attention(), scheme.mxfp4GroupSize()))));
            }
        }
    }

    private Optional<Question> with(QuantizationScheme scheme) {
        return question.with(axes().with(QuantizationAxis.of(scheme)));
    }

    private void draftTokens(List<Optional<Variant>> variants) {
        int now = today.candidate().draftTokens();
        for (int drafts : List.of(now - 1, now + 1)) {
            if (drafts >= 0 && !axes().draftTokens().counts().contains(drafts)) {
                Axes changed = axes().with(new DraftTokenAxis(List.of(drafts)));
                variants.add(Variant.of(Change.of(Lever.DRAFT_TOKENS, now, drafts), question.with(changed)));
            }
        }
    }

    private void tokenBudgets(List<Optional<Variant>> variants) {
        int now = today.maxBatchedTokens();
        for (long budget : List.of(now / 2L, now * 2L)) {
            if (budget > 0 && budget <= Integer.MAX_VALUE) {
                Axes changed = axes().with(new TokenBudgetAxis(List.of((int) budget)));
                variants.add(Variant.of(Change.of(Lever.TOKEN_BUDGET, now, budget), question.with(changed)));
            }
        }
    }

    private Axes axes() {
        return question.problem().search().axes();
    }

    private void hitRates(List<Optional<Variant>> variants) {
        Workload workload = question.workload();
        double now = workload.prefixCacheHitRate();
        for (double rate : List.of(neat(now - HIT_RATE_STEP), neat(now + HIT_RATE_STEP))) {
            if (rate >= 0 && rate < 1) {
                variants.add(Variant.of(
                        Change.of(Lever.PREFIX_CACHE_HIT_RATE, now, rate),
                        question.with(
                                new Workload(workload.lengths(), workload.outputTokens(), rate, workload.images()))));
            }
        }
    }
}
