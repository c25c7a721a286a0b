package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.fleet.MeasuredDevice;

/// Instances on measured devices that serve a demand with its headroom.
public sealed interface MeasuredPlan extends DemandPlan permits FleetCapacityPlan, FleetPairPlan {
    MeasuredDevice device();

    @Override
    default String deviceName() {
        return device().name();
    }
}
