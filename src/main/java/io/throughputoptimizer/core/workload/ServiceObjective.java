package io.throughputoptimizer.core.workload;

import org.jspecify.annotations.Nullable;

/// Limits that a deployment must keep.
///
/// @param ttftMillis highest time to first token, absent for none
/// @param tpotMillis highest time per output token, absent for none
public record ServiceObjective(
        @Nullable Double ttftMillis, @Nullable Double tpotMillis) {
    public static final ServiceObjective NONE = new ServiceObjective(null, null);

    public ServiceObjective {
        requirePositive("TTFT limit", ttftMillis);
        requirePositive("TPOT limit", tpotMillis);
    }

    /// The same objective with the TTFT limit alone.
    public ServiceObjective ttftOnly() {
        return new ServiceObjective(ttftMillis, null);
    }

    /// The same objective with the TPOT limit alone.
    public ServiceObjective tpotOnly() {
        return new ServiceObjective(null, tpotMillis);
    }

    /// The limits that bind instances of a phase: those that do prompts only have no TPOT, those that generate only no
    /// TTFT.
    public ServiceObjective in(Phase phase) {
        return switch (phase) {
            case PREFILL -> ttftOnly();
            case DECODE -> tpotOnly();
            case AGGREGATION -> this;
        };
    }

    private static void requirePositive(String field, @Nullable Double value) {
        if (value != null && !(value > 0)) {
            throw new IllegalArgumentException(field + " is " + value + " ms: a number above 0 is needed");
        }
    }
}
