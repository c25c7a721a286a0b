package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.load.LawOutcome.OutOfMemory;
import io.throughputoptimizer.core.workload.Limits;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// An exceeded limit with the figure above it.
public record Breach(Limit limit, double value, double allowed) {

    /// Kind of limit.
    public enum Limit {
        /// Tokens of the KV cache of a rank.
        KV_TOKENS,
        TTFT_MILLIS,
        TPOT_MILLIS,
        /// End-to-end latency.
        REQUEST_LATENCY_MILLIS,
        /// Request rate of the deployment, above which it is saturated.
        REQUEST_RATE,
        /// Maximum concurrency that can be tried.
        CONCURRENCY
    }

    /// Returns the breach of a required concurrency above the maximum.
    static Breach tooFew(int needed, int most) {
        return new Breach(Limit.CONCURRENCY, needed, most);
    }

    /// Returns the limits that the law's means exceed; empty if none.
    public static List<Breach> of(Limits limits, LawOutcome outcome) {
        return switch (outcome) {
            case OutOfMemory(double kvTokens, double requestTokens) ->
                List.of(new Breach(Limit.KV_TOKENS, requestTokens, kvTokens));
            case SteadyFigures figures ->
                of(
                        limits,
                        limits.boundsTtft() ? figures.ttftMillis(limits.basis()) : 0,
                        figures.tpotMillis(),
                        limits.boundsAnswers() ? figures.requestLatencyMillis(limits.basis()) : 0);
        };
    }

    /// Returns whether the law's mean TPOT exceeds its limit.
    static boolean isOfTpot(Limits limits, LawOutcome outcome) {
        return outcome instanceof SteadyFigures figures
                && beyond(Limit.TPOT_MILLIS, figures.tpotMillis(), limits.tpotMillis())
                        .findAny()
                        .isPresent();
    }

    /// Returns the limits that a percentile of a simulation exceeds. Requests of one token have no TPOT.
    public static List<Breach> of(Limits limits, SimulationResult result, double percent) {
        SimulationResult.Generation generation = result.generation();
        return of(
                limits,
                result.ttft().percentile(percent),
                generation == null ? 0 : generation.tpot().percentile(percent),
                result.requestLatency().percentile(percent));
    }

    private static List<Breach> of(Limits limits, double ttft, double tpot, double requestLatency) {
        return Stream.of(
                        beyond(Limit.TTFT_MILLIS, ttft, limits.ttftMillis()),
                        beyond(Limit.TPOT_MILLIS, tpot, limits.tpotMillis()),
                        beyond(Limit.REQUEST_LATENCY_MILLIS, requestLatency, limits.requestLatencyMillis()))
                .flatMap(breach -> breach)
                .toList();
    }

    private static Stream<Breach> beyond(Limit limit, double value, @Nullable Double allowed) {
        return allowed == null || value <= allowed ? Stream.empty() : Stream.of(new Breach(limit, value, allowed));
    }
}
