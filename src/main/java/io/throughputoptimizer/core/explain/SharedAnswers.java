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

/// Points of pairs that share an end-to-end latency limit: each instance in its best pair, with the other side
/// of that pair.
record SharedAnswers(DeviceResult found) {

    /// Returns the plans of a phase in the order of their best pairs. Pairs of equal throughput can be listed
    /// once; a candidate without a pair is taken from the result of its phase.
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
