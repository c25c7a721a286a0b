package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.steady.LawOutcome.Figures;
import io.throughputoptimizer.core.steady.LawOutcome.OutOfMemory;
import io.throughputoptimizer.core.steady.Traffic.TtftBasis;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a service must keep.
///
/// @param percentile from 0 to 100, of the requests of a simulation; of the mean if absent
public record ServiceLimits(
        @Nullable Double ttftMillis,
        @Nullable Double tpotMillis,
        TtftBasis basis,
        @Nullable Double percentile) {

    /// What breaks a limit.
    public enum Limit {
        /// Tokens of the KV cache of a rank.
        KV_TOKENS,
        TTFT_MILLIS,
        TPOT_MILLIS,
        /// Requests per second of the deployment that do not saturate it.
        REQUEST_RATE,
        /// Requests at once that it can be tried with.
        CONCURRENCY
    }

    /// A limit and the figure above it.
    public record Breach(Limit limit, double value, double allowed) {}

    /// More requests at once are needed than can be tried.
    static Breach tooFew(int needed, int most) {
        return new Breach(Limit.CONCURRENCY, needed, most);
    }

    /// The limits that the means of a law break; none if it keeps them all.
    public List<Breach> breaches(LawOutcome outcome) {
        return switch (outcome) {
            case OutOfMemory(double kvTokens, double requestTokens) ->
                List.of(new Breach(Limit.KV_TOKENS, requestTokens, kvTokens));
            case Figures figures ->
                breaches(
                        switch (basis) {
                            case BENCHMARK -> figures.ttft().benchmarkMillis();
                            case SETTLED -> figures.ttft().settledMillis();
                        },
                        figures.tpotMillis());
        };
    }

    /// The limits that a percentile of a simulation breaks. Requests of one token have no TPOT to break one.
    public List<Breach> breaches(SimulationResult result, double percent) {
        SimulationResult.Generation generation = result.generation();
        return breaches(
                result.ttft().percentile(percent),
                generation == null ? 0 : generation.tpot().percentile(percent));
    }

    private List<Breach> breaches(double ttft, double tpot) {
        return Stream.of(new Held(Limit.TTFT_MILLIS, ttft, ttftMillis), new Held(Limit.TPOT_MILLIS, tpot, tpotMillis))
                .flatMap(Held::breach)
                .toList();
    }

    private record Held(Limit limit, double value, @Nullable Double allowed) {
        private Stream<Breach> breach() {
            return allowed == null || value <= allowed ? Stream.empty() : Stream.of(new Breach(limit, value, allowed));
        }
    }
}
