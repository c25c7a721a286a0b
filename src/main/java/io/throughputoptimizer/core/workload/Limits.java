package io.throughputoptimizer.core.workload;

import org.jspecify.annotations.Nullable;

/// Latency targets of a deployment.
///
/// @param ttftMillis maximum TTFT; absent for no target
/// @param tpotMillis maximum TPOT; absent for no target
/// @param basis requests that the TTFT target covers; the analytic model has a single TTFT
/// @param percentile percentile of the simulated requests, 0 to 100; absent for means
/// @param ofUserSpeed whether the TPOT target was given as the minimum tokens per second of one user
/// @param requestLatencyMillis maximum end-to-end latency, from the request to its last token; absent for no
///     target
public record Limits(
        @Nullable Double ttftMillis,
        @Nullable Double tpotMillis,
        TtftBasis basis,
        @Nullable Double percentile,
        boolean ofUserSpeed,
        @Nullable Double requestLatencyMillis) {
    public static final Limits NONE = new Limits(null, null);

    public Limits {
        requirePositive("TTFT limit", ttftMillis);
        requirePositive("TPOT limit", tpotMillis);
        requirePositive("request latency limit", requestLatencyMillis);
    }

    /// Creates targets without an end-to-end latency.
    public Limits(
            @Nullable Double ttftMillis, @Nullable Double tpotMillis, TtftBasis basis, @Nullable Double percentile) {
        this(ttftMillis, tpotMillis, basis, percentile, false, null);
    }

    /// Creates targets for means.
    public Limits(@Nullable Double ttftMillis, @Nullable Double tpotMillis) {
        this(ttftMillis, tpotMillis, TtftBasis.BENCHMARK, null);
    }

    public Limits withTtft(@Nullable Double other) {
        return new Limits(other, tpotMillis, basis, percentile, ofUserSpeed, requestLatencyMillis);
    }

    public Limits withTpot(@Nullable Double other) {
        return new Limits(ttftMillis, other, basis, percentile, ofUserSpeed, requestLatencyMillis);
    }

    public Limits withRequestLatency(@Nullable Double other) {
        return new Limits(ttftMillis, tpotMillis, basis, percentile, ofUserSpeed, other);
    }

    /// Returns whether the TTFT is limited.
    public boolean boundsTtft() {
        return ttftMillis != null && !ttftMillis.isInfinite();
    }

    /// Returns whether the end-to-end latency is limited.
    public boolean boundsAnswers() {
        return requestLatencyMillis != null && !requestLatencyMillis.isInfinite();
    }

    /// Returns the TTFT target alone.
    public Limits ttftOnly() {
        return withTpot(null).withRequestLatency(null);
    }

    /// Returns the TPOT target alone.
    public Limits tpotOnly() {
        return withTtft(null).withRequestLatency(null);
    }

    /// Returns the targets that apply to instances of a phase: prefill instances have no TPOT, decode instances
    /// no TTFT. The end-to-end latency target applies to both.
    public Limits in(Phase phase) {
        return switch (phase) {
            case PREFILL -> withTpot(null);
            case DECODE -> withTtft(null);
            case AGGREGATION -> this;
        };
    }

    private static void requirePositive(String field, @Nullable Double value) {
        if (value != null && !(value > 0)) {
            throw new IllegalArgumentException(field + " is " + value + " ms: a number above 0 is needed");
        }
    }
}
