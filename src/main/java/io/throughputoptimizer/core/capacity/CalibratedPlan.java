package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.workload.TtftBasis;

/// Calibrated instances that serve a demand with headroom.
public sealed interface CalibratedPlan extends DemandPlan permits CalibratedCapacityPlan, CalibratedPairPlan {
    /// Returns the problem of its kind of device.
    CalibratedProblem problem();

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
