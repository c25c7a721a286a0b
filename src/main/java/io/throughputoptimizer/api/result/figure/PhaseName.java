package io.throughputoptimizer.api.result.figure;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.core.workload.Phase;

/// Wire names of the [Phase]s.
public enum PhaseName {
    @JsonProperty("aggregation")
    AGGREGATION,
    @JsonProperty("prefill")
    PREFILL,
    @JsonProperty("decode")
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
