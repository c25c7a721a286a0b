package io.throughputoptimizer.core.feedback;

import io.throughputoptimizer.core.silicon.Bands;
import io.throughputoptimizer.core.silicon.Bands.Band;
import io.throughputoptimizer.core.steady.SteadyFigures;
import java.util.Optional;

/// What is said of a row, and how far it can be trusted. A band is empty where a figure is uncalibrated.
///
/// @param figures of one attention data parallel rank
/// @param ranks of the instance
public record Prediction(SteadyFigures figures, Bands bands, int ranks) {
    public double tpotMillis() {
        return figures.tpotMillis();
    }

    /// The mean over a whole benchmark.
    public double ttftMillis() {
        return figures.ttft().benchmarkMillis();
    }

    /// Output tokens of the instance.
    public double tokensPerSecond() {
        return figures.outputTokensPerSecond() * ranks;
    }

    public Optional<Band> tpotBand() {
        return bands.ofTpot(tpotMillis());
    }

    public Optional<Band> ttftBand() {
        return bands.ofTtft(ttftMillis());
    }

    public Optional<Band> tokensBand() {
        return bands.ofThroughput(tokensPerSecond(), ttftMillis(), figures.outputTokens() * tpotMillis());
    }
}
