package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.steady.LawOutcome.OutOfMemory;
import io.throughputoptimizer.core.workload.Limits;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A limit and the figure above it.
public record Breach(Limit limit, double value, double allowed) {

    /// What breaks a limit.
    public enum Limit {
        /// Tokens of the KV cache of a rank.
        KV_TOKENS,
        TTFT_MILLIS,
        TPOT_MILLIS,
        /// From a request to the last token of its answer.
        REQUEST_LATENCY_MILLIS,
        /// Requests per second of the deployment that do not saturate it.
        REQUEST_RATE,
        /// Requests at once that it can be tried with.
        CONCURRENCY
    }

    /// More requests at once are needed than can be tried.
    static Breach tooFew(int needed, int most) {
        return new Breach(Limit.CONCURRENCY, needed, most);
    }

    /// The limits that the means of a law break; none if it keeps them all.
    public static List<Breach> of(Limits limits, LawOutcome outcome) {
        return switch (outcome) {
            case OutOfMemory(double kvTokens, double requestTokens) ->
                List.of(new Breach(Limit.KV_TOKENS, requestTokens, kvTokens));
            case SteadyFigures figures ->
                of(
                        limits,
                        figures.ttftMillis(limits.basis()),
                        figures.tpotMillis(),
                        figures.requestLatencyMillis(limits.basis()));
        };
    }

    /// The limits that a percentile of a simulation breaks. Requests of one token have no TPOT to break one.
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
