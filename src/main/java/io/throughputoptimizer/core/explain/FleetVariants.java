package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Change.Kind;
import io.throughputoptimizer.core.explain.Change.Lever;
import io.throughputoptimizer.core.explain.Variants.Variant;
import io.throughputoptimizer.core.fleet.MeasuredDevice;
import io.throughputoptimizer.core.silicon.CacheType;
import io.throughputoptimizer.core.silicon.Precision;
import io.throughputoptimizer.core.silicon.Scheme;
import io.throughputoptimizer.core.steady.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The questions about a measured device that differ from one in a single thing.
record FleetVariants(FleetQuestion question) {
    /// Levers that mean nothing there, and why.
    static final List<NotAsked> NOT_ASKED = List.of(
            new NotAsked(Lever.LINK_LATENCY, "measured collectives have latencies of their own"),
            new NotAsked(Lever.DRAFT_TOKENS, "drafts are not priced by cost model calibrated"));

    /// A lever that is not tried.
    record NotAsked(Lever lever, String reason) {}

    List<Variant> all() {
        List<Optional<Variant>> variants = new ArrayList<>();
        Variants.limits(question, variants);
        Variants.devices(question, variants);
        precisions(variants);
        tokenBudgets(variants);
        hitRates(variants);
        return variants.stream().flatMap(Optional::stream).toList();
    }

    private void precisions(List<Optional<Variant>> variants) {
        MeasuredDevice device = question.device();
        Precision now = device.precision();
        for (CacheType cache : CacheType.values()) {
            if (cache != now.cache()) {
                variants.add(Variant.of(
                        new Change(
                                Lever.CACHE_QUANTIZATION, new Kind(now.cache().label()), new Kind(cache.label())),
                        question.with(device.with(new Precision(now.scheme(), cache)))));
            }
        }
        for (Scheme scheme : Scheme.values()) {
            if (scheme != now.scheme()) {
                variants.add(Variant.of(
                        Change.of(Lever.LINEAR_QUANTIZATION, now.scheme(), scheme),
                        question.with(device.with(new Precision(scheme, now.cache())))));
            }
        }
    }

    private void tokenBudgets(List<Optional<Variant>> variants) {
        MeasuredDevice device = question.device();
        int now = device.engine().scheduling().tokenBudget();
        for (long budget : List.of(now / 2L, now * 2L)) {
            if (budget > 0 && budget <= Integer.MAX_VALUE) {
                variants.add(Variant.of(
                        Change.of(Lever.TOKEN_BUDGET, now, budget),
                        question.with(device.with(device.engine().withTokenBudget((int) budget)))));
            }
        }
    }

    private void hitRates(List<Optional<Variant>> variants) {
        Traffic now = question.problem().demand().traffic();
        for (double rate : Variants.hitRates(now.prefixHitRate())) {
            Traffic changed = new Traffic(now.lengths(), rate, now.waves(), now.thinkMillis(), now.rate());
            variants.add(Variant.of(
                    Change.of(Lever.PREFIX_CACHE_HIT_RATE, now.prefixHitRate(), rate),
                    Optional.of(question.with(changed))));
        }
    }
}
