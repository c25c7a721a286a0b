package io.throughputoptimizer.core.feedback;

import io.throughputoptimizer.core.kernels.Bands;
import io.throughputoptimizer.core.kernels.Bands.Band;
import io.throughputoptimizer.core.load.SteadyFigures;
import java.util.Optional;

/// Predicted figures of a row with their prediction intervals. An interval is empty if a figure is
/// uncalibrated.
///
/// @param figures figures of one attention data parallel rank
/// @param ranks data parallel ranks of the instance
public record Prediction(SteadyFigures figures, Bands bands, int ranks) {
    public double tpotMillis() {
        return figures.tpotMillis();
    }

    /// Returns the mean TTFT over a whole benchmark.
    public double ttftMillis() {
        return figures.ttft().benchmarkMillis();
    }

    /// Returns the output tokens per second of the instance.
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
