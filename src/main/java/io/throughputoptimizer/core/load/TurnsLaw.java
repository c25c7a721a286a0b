package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.load.MeanRequest.Prompts;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;

/// The [SteadyLaw] of a rank that serves conversation turns, at the hit share that the cache allows
/// ([CachePressure]).
public final class TurnsLaw {
    private final ServingRank rank;
    private final TurnLengths turns;
    private final double waves;
    private final Prompts found;
    private final Prompts lost;
    private final CachePressure pressure;

    /// Creates a law.
    ///
    /// @param waves benchmark requests per request in flight, at least 1
    public TurnsLaw(ServingRank rank, TurnLengths turns, double waves) {
        this.rank = rank;
        this.turns = turns;
        this.waves = waves;
        this.found = rank.prompts(turns.meanFound(1));
        this.lost = rank.prompts(turns.meanFound(0));
        this.pressure = new CachePressure(turns.conversation(), rank.use(), rank.kvTokens());
    }

    /// Returns the steady state of a concurrency.
    ///
    /// @param concurrency requests in flight at this rank, at least 1; may be fractional
    public LawOutcome at(double concurrency) {
        MeanRequest request = turns.mean();
        LawOutcome first = new SteadyLaw(rank, request, waves, found).at(concurrency);
        if (!(first instanceof SteadyFigures figures)) {
            return first;
        }
        // A decode step of the same requests costs the same whatever prompts do, and is priced once.
        SteadyFigures.Steps steps = figures.steps();
        DoubleUnaryOperator decode =
                decoding -> decoding == steps.decoding() ? steps.decodeMillis() : rank.decodeMillis(decoding, request);
        DoubleFunction<SteadyFigures> at = share -> (SteadyFigures)
                new SteadyLaw(rank, request, waves, Prompts.of(found, lost, share)).at(concurrency, decode);
        return pressure.settled(at);
    }
}
