package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.measured.MeasuredDevice;

/// Instances on measured devices that serve a demand with its headroom.
public sealed interface MeasuredPlan extends DemandPlan permits MeasuredCapacityPlan, MeasuredPairPlan {
    MeasuredDevice device();

    @Override
    default String deviceName() {
        return device().name();
    }
}
