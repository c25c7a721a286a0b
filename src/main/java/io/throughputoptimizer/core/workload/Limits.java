package io.throughputoptimizer.core.workload;

import org.jspecify.annotations.Nullable;

/// Limits that a deployment must keep.
///
/// @param ttftMillis highest time to first token, absent for none
/// @param tpotMillis highest time per output token, absent for none
/// @param basis of the TTFT limit; passes on a roofline know but one TTFT
/// @param percentile from 0 to 100, of the requests of a simulation; of the mean if absent
/// @param ofUserSpeed whether the TPOT limit was asked for as the least tokens per second that one user sees
/// @param requestLatencyMillis highest time of a whole answer, from its request to its last token,
///     absent for none
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

    /// Limits in ms.
    public Limits(
            @Nullable Double ttftMillis, @Nullable Double tpotMillis, TtftBasis basis, @Nullable Double percentile) {
        this(ttftMillis, tpotMillis, basis, percentile, false, null);
    }

    /// Limits on means.
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

    /// Whether the time of a whole answer is limited.
    public boolean boundsAnswers() {
        return requestLatencyMillis != null && !requestLatencyMillis.isInfinite();
    }

    /// The same limits with the TTFT limit alone.
    public Limits ttftOnly() {
        return withTpot(null).withRequestLatency(null);
    }

    /// The same limits with the TPOT limit alone.
    public Limits tpotOnly() {
        return withTtft(null).withRequestLatency(null);
    }

    /// The limits that bind instances of a phase: those that do prompts only have no TPOT, those that generate only no
    /// TTFT. Each makes a part of a whole answer.
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
