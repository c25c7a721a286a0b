package io.throughputoptimizer.api.result.figure;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.core.workload.Phase;

/// Wire names of the [Phase]s.
public enum PhaseName {
    AGGREGATION,
    PREFILL,
    DECODE;

    public static PhaseName of(Phase phase) {
        return switch (phase) {
            case AGGREGATION -> AGGREGATION;
            case PREFILL -> PREFILL;
            case DECODE -> DECODE;
        };
    }

    /// Returns the name on the wire.
    public String wireName() {
        return WireFormat.name(this);
    }
}
