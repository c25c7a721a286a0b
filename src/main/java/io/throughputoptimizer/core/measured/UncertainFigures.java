package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.silicon.Bands;
import io.throughputoptimizer.core.silicon.Bands.Band;
import io.throughputoptimizer.core.silicon.LaunchRange;
import io.throughputoptimizer.core.steady.LawOutcome.Figures;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// What a law says about one concurrency, each figure with where it may lie.
///
/// @param captured the same on an Ascend device whose launches are all for free; absent on other devices
record UncertainFigures<F extends Figures>(
        F figures, @Nullable F captured, Bands bands) {

    @FunctionalInterface
    interface BandOf {
        Optional<Band> of(double value);
    }

    Uncertain ttft() {
        return of(one -> one.ttft().benchmarkMillis(), first(bands::ofTtft));
    }

    Uncertain ttftBurst() {
        return of(one -> one.ttft().burstMillis(), first(bands::ofTtftStatistic));
    }

    Uncertain ttftSettled() {
        return of(one -> one.ttft().settledMillis(), first(bands::ofTtftStatistic));
    }

    /// The band of a time to the first token without its known part, moved by that.
    private BandOf first(BandOf band) {
        double known = figures.knownMillis();
        return value -> band.of(value - known).map(one -> one.plus(known));
    }

    Uncertain tpot() {
        return of(Figures::tpotMillis, bands::ofTpot);
    }

    /// Something per second: its band is that of the time that a request takes.
    Uncertain rate(ToDoubleFunction<F> rate) {
        double decodeMillis = figures.outputTokens() * figures.tpotMillis();
        return of(
                rate,
                value -> bands.ofThroughput(
                        value,
                        figures.ttft().benchmarkMillis() - figures.knownMillis(),
                        decodeMillis,
                        figures.knownMillis()));
    }

    Uncertain of(ToDoubleFunction<F> figure, BandOf band) {
        double value = figure.applyAsDouble(figures);
        return new Uncertain(
                value, band.of(value), captured == null ? null : range(value, figure.applyAsDouble(captured)));
    }

    /// Free launches make times shorter and rates higher.
    private static LaunchRange range(double priced, double captured) {
        return new LaunchRange(Math.min(priced, captured), Math.max(priced, captured));
    }
}
