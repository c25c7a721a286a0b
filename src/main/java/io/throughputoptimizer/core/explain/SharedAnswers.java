package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Bindings.Kept;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.workload.Phase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// What instances are asked about that keep a limit on whole answers together with others: each as it stands in its
/// best pair, beside the other side of that.
record SharedAnswers(DeviceResult found) {

    /// In the order of their best pairs. Pairs that serve as many requests may be listed once: what stands in none of
    /// them is asked about as its phase has it.
    List<Kept> kept(Phase phase) {
        Map<String, Kept> kept = new LinkedHashMap<>();
        Objects.requireNonNull(found.pdRatio(), "a search for pairs has none")
                .rows()
                .forEach(row -> {
                    Side side = side(row, phase);
                    Side partner = side(row, phase == Phase.PREFILL ? Phase.DECODE : Phase.PREFILL);
                    kept.putIfAbsent(side.candidate().label(), new Kept(side.candidate(), side.batchSize(), partner));
                });
        Bindings.kept(result(phase))
                .forEach(alone -> kept.putIfAbsent(alone.candidate().label(), alone));
        return List.copyOf(kept.values());
    }

    private PhaseResult result(Phase phase) {
        return phase == Phase.PREFILL
                ? found.phases().getFirst()
                : found.phases().getLast();
    }

    private static Side side(PdRatioRow row, Phase phase) {
        return phase == Phase.PREFILL ? row.prefill() : row.decode();
    }
}
