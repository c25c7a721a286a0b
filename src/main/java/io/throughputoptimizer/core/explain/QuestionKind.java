package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.workload.Phase;

/// Kinds of search that yield one best plan per kind of device.
public enum QuestionKind {
    AGGREGATION,
    PREFILL,
    DECODE,
    /// Prefill instances paired with decode instances.
    PD_RATIO;

    /// Returns whether the search covers a phase.
    boolean covers(Phase phase) {
        return switch (this) {
            case AGGREGATION -> phase == Phase.AGGREGATION;
            case PREFILL -> phase == Phase.PREFILL;
            case DECODE -> phase == Phase.DECODE;
            case PD_RATIO -> phase != Phase.AGGREGATION;
        };
    }
}
