package io.throughputoptimizer.api.result.estimate;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.result.figure.BandResponse;
import io.throughputoptimizer.api.result.figure.StatisticsResponse;
import io.throughputoptimizer.core.kernels.Bands;
import io.throughputoptimizer.core.kernels.Bands.Band;
import io.throughputoptimizer.core.kernels.LaunchRange;
import io.throughputoptimizer.core.load.Distribution;
import io.throughputoptimizer.core.load.SimulationResult;
import io.throughputoptimizer.core.replica.SimulatedDeployment.Outcome;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// A distribution with the bands of its mean and of its percentiles.
public record SimulatedSpread(
        Outcome outcome,
        Function<SimulationResult, Distribution> distribution,
        DoubleFunction<Optional<Band>> ofMean,
        DoubleFunction<Optional<Band>> ofPercentile)
        implements StatisticsResponse.Source {

    public static SimulatedSpread ttft(Outcome outcome) {
        Bands bands = outcome.bands();
        return new SimulatedSpread(outcome, SimulationResult::ttft, bands::ofTtft, bands::ofTtftStatistic);
    }

    /// Returns the spread of end-to-end latency. Values split into TTFT and the rest in the ratio of the means.
    public static SimulatedSpread requestLatency(Outcome outcome) {
        Bands bands = outcome.bands();
        DoubleFunction<Optional<Band>> band = value -> bands.ofRequestLatency(
                outcome.result().ttft().mean()
                        * value
                        / outcome.result().requestLatency().mean(),
                value
                        * (1
                                - outcome.result().ttft().mean()
                                        / outcome.result().requestLatency().mean()),
                0);
        return new SimulatedSpread(outcome, SimulationResult::requestLatency, band, band);
    }

    /// Returns the spread of TPOT, for requests with more than one output token.
    public static SimulatedSpread tpot(Outcome outcome) {
        Bands bands = outcome.bands();
        return new SimulatedSpread(
                outcome, one -> requireNonNull(one.generation()).tpot(), bands::ofTpot, bands::ofTpotStatistic);
    }

    @Override
    public StatisticsResponse.Statistic mean() {
        return statistic(Distribution::mean, ofMean);
    }

    @Override
    public StatisticsResponse.Statistic percentile(double percent) {
        return statistic(values -> values.percentile(percent), ofPercentile);
    }

    private StatisticsResponse.Statistic statistic(
            ToDoubleFunction<Distribution> figure, DoubleFunction<Optional<Band>> band) {
        double value = figure.applyAsDouble(distribution.apply(outcome.result()));
        return new StatisticsResponse.Statistic(
                value,
                BandResponse.from(band.apply(value)),
                range(outcome, result -> figure.applyAsDouble(distribution.apply(result))));
    }

    /// Returns the range of a figure between free and priced launches on an Ascend device, or null on other
    /// devices.
    public static @Nullable BandResponse range(Outcome outcome, ToDoubleFunction<SimulationResult> figure) {
        SimulationResult captured = outcome.captured();
        if (captured == null) {
            return null;
        }
        double priced = figure.applyAsDouble(outcome.result());
        double free = figure.applyAsDouble(captured);
        return BandResponse.from(new LaunchRange(Math.min(priced, free), Math.max(priced, free)));
    }
}
