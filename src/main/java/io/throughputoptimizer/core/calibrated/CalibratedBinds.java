package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.load.BestConcurrency.Beyond;
import io.throughputoptimizer.core.load.BestConcurrency.Preference;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.search.BindingLimit;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Limiting constraints of calibrated plans: on a higher concurrency or, if the objective prefers fewer
/// requests, on a lower one.
public final class CalibratedBinds {
    private CalibratedBinds() {}

    public static BindingLimit of(Breach breach) {
        return switch (breach.limit()) {
            case KV_TOKENS -> BindingLimit.MEMORY;
            case TTFT_MILLIS -> BindingLimit.TTFT;
            case TPOT_MILLIS -> BindingLimit.TPOT;
            case REQUEST_LATENCY_MILLIS -> BindingLimit.E2E_LATENCY;
            case CONCURRENCY -> BindingLimit.BATCH_RANGE;
            case REQUEST_RATE -> BindingLimit.RATE;
        };
    }

    /// Returns the constraints of all exceeded limits.
    public static Set<BindingLimit> of(List<Breach> breaches) {
        return breaches.stream()
                .map(CalibratedBinds::of)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(BindingLimit.class)));
    }

    /// Returns the limiting constraints of the best concurrency of a search.
    ///
    /// @param beyond knowledge of the search about higher concurrencies
    public static Set<BindingLimit> of(CalibratedServing serving, SteadyFigures best, Beyond beyond) {
        SteadyTerms terms = serving.terms();
        int concurrency = (int) best.concurrency();
        return terms.preference().equals(Preference.SHORTEST_TPOT)
                ? Set.of(BindingLimit.ofFewer(
                        concurrency,
                        serving.leastConcurrency(),
                        serving.instances().shares(),
                        terms.leastConcurrency()))
                : ofMore(serving, best, beyond);
    }

    /// Returns the limiting constraints on a concurrency above the peak.
    public static Set<BindingLimit> ofMore(CalibratedServing serving, SteadyFigures most, Beyond beyond) {
        boolean last = most.concurrency() >= serving.mostConcurrency();
        if (serving.terms().batches() != null && last) {
            return Set.of(BindingLimit.BATCH_RANGE);
        }
        Set<BindingLimit> broken = of(beyond.broken());
        if (serving.isFull(most)) {
            broken.add(BindingLimit.MEMORY);
        }
        if (!broken.isEmpty()) {
            return broken;
        }
        if (beyond.unreliable() != null) {
            return Set.of(BindingLimit.MEASURED_RANGE);
        }
        return Set.of(
                beyond.deliversNoMore() ? BindingLimit.THROUGHPUT : last ? BindingLimit.ENGINE : BindingLimit.SEARCH);
    }
}
