package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.measured.MeasuredProblem;
import io.throughputoptimizer.core.steady.SteadyFigures;
import io.throughputoptimizer.core.workload.TtftBasis;

/// Calibrated instances that serve a demand with headroom.
public sealed interface MeasuredPlan extends DemandPlan permits MeasuredCapacityPlan, MeasuredPairPlan {
    /// Returns the problem of its kind of device.
    MeasuredProblem problem();

    /// Returns the figures at the demand.
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
