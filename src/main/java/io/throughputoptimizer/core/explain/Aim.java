package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.workload.Phase;

/// What has one best answer on one kind of device.
public enum Aim {
    AGGREGATION,
    PREFILL,
    DECODE,
    /// Prefill instances that feed decode instances.
    PD_RATIO;

    /// Whether it needs a phase.
    boolean covers(Phase phase) {
        return switch (this) {
            case AGGREGATION -> phase == Phase.AGGREGATION;
            case PREFILL -> phase == Phase.PREFILL;
            case DECODE -> phase == Phase.DECODE;
            case PD_RATIO -> phase != Phase.AGGREGATION;
        };
    }
}
