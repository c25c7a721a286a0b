package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.measured.MeasuredProblem;
import io.throughputoptimizer.core.steady.SteadyFigures;
import io.throughputoptimizer.core.workload.TtftBasis;

/// Instances on measured devices that serve a demand with its headroom.
public sealed interface MeasuredPlan extends DemandPlan permits MeasuredCapacityPlan, MeasuredPairPlan {
    /// About its kind of device alone.
    MeasuredProblem problem();

    /// Figures at the demand.
    SteadyFigures load();

    @Override
    default String deviceName() {
        return problem().devices().getFirst().name();
    }

    @Override
    default double ttftMillis() {
        return load().ttft().benchmarkMillis();
    }

    @Override
    default double tpotMillis() {
        return load().tpotMillis();
    }

    @Override
    default Double requestLatencyMillis(TtftBasis basis) {
        return load().requestLatencyMillis(basis);
    }
}
