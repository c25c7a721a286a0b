package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.calibrated.CalibratedServing;
import io.throughputoptimizer.core.calibrated.InstanceLayout;
import io.throughputoptimizer.core.calibrated.PricedPair;
import io.throughputoptimizer.core.calibrated.PricedReplicas;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.LawOutcome;
import io.throughputoptimizer.core.load.LawOutcome.OutOfMemory;
import io.throughputoptimizer.core.load.SimulationResult;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.workload.Limits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Compares concurrencies in the calibrated model with the limits: by means of the steady-state law, or by
/// simulation for percentile limits. Each simulation runs once. Not thread-safe.
final class LimitMargins {
    private final CalibratedQuestion question;
    private final ExplanationSearch inquiry;
    private final Map<Load, SimulationResult> simulated = new HashMap<>();

    /// Figures subject to limits.
    ///
    /// @param ttftMillis null if memory is too small or the rate saturates the instances
    /// @param tpotMillis null in the same cases
    /// @param requestLatencyMillis end-to-end latency; null in the same cases
    /// @param breaches violated limits
    record Standing(
            @Nullable Double ttftMillis,
            @Nullable Double tpotMillis,
            @Nullable Double requestLatencyMillis,
            List<Breach> breaches) {
        private static Standing ofNone(List<Breach> breaches) {
            return new Standing(null, null, null, breaches);
        }
    }

    /// @param concurrency 0 for open-loop requests, whose concurrency is not an input
    private record Load(InstanceLayout arrangement, int concurrency) {}

    LimitMargins(CalibratedQuestion question, ExplanationSearch inquiry) {
        this.question = question;
        this.inquiry = inquiry;
    }

    /// @throws java.util.concurrent.CancellationException if the monitor canceled the work
    void failWhenCancelled() {
        inquiry.failWhenCancelled();
    }

    /// Returns whether each concurrency requires its own simulation.
    boolean areSimulated() {
        return question.limits().percentile() != null
                && question.problem().demand().traffic().rate() == null;
    }

    /// @param outcome outcome of the law at that concurrency
    Standing of(CalibratedServing serving, int concurrency, LawOutcome outcome) {
        Double percentile = question.limits().percentile();
        return switch (outcome) {
            case OutOfMemory _ -> Standing.ofNone(Breach.of(question.limits(), outcome));
            case SteadyFigures figures when percentile == null -> mean(figures);
            case SteadyFigures _ ->
                switch (serving) {
                    case PricedReplicas replicas -> simulated(replicas, concurrency, percentile);
                    case PricedPair _ -> throw new IllegalArgumentException("no simulation knows pairs of instances");
                };
        };
    }

    private Standing mean(SteadyFigures figures) {
        Limits limits = question.limits();
        return new Standing(
                figures.ttftMillis(limits.basis()),
                figures.tpotMillis(),
                figures.requestLatencyMillis(limits.basis()),
                Breach.of(limits, figures));
    }

    private Standing simulated(PricedReplicas replicas, int concurrency, double percentile) {
        Optional<Breach> saturated = replicas.saturation();
        if (saturated.isPresent()) {
            return Standing.ofNone(List.of(saturated.get()));
        }
        boolean closed = question.problem().demand().traffic().rate() == null;
        SimulationResult result =
                simulated.computeIfAbsent(new Load(replicas.arrangement(), closed ? concurrency : 0), _ -> {
                    inquiry.countSimulation();
                    return replicas.simulate(concurrency, inquiry::failWhenCancelled);
                });
        SimulationResult.Generation generation = result.generation();
        return new Standing(
                result.ttft().percentile(percentile),
                generation == null ? null : generation.tpot().percentile(percentile),
                result.requestLatency().percentile(percentile),
                Breach.of(question.limits(), result, percentile));
    }
}
