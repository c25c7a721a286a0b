package io.throughputoptimizer.core.fleet;

import io.throughputoptimizer.core.silicon.Bands;
import io.throughputoptimizer.core.silicon.Bands.Band;
import io.throughputoptimizer.core.silicon.LaunchRange;
import io.throughputoptimizer.core.silicon.OperatorTime;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.steady.SteadyFigures;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// A layout at its best concurrency: equal replicas that share the load.
///
/// @param figures of one rank
/// @param captured the same on an Ascend device whose launches are all for free; absent on other devices
/// @param steps what a decode step and a prompt consist of
/// @param cacheTokens that the KV cache of a rank holds
public record FleetRow(
        SiliconDeployment deployment,
        int replicas,
        SteadyFigures figures,
        @Nullable SteadyFigures captured,
        Bands bands,
        Steps steps,
        double cacheTokens) {

    /// Operators of the two kinds of step.
    public record Steps(List<OperatorTime> decode, List<OperatorTime> prefill) {}

    /// A figure and where it may lie; neither where it is uncalibrated on a device whose launches count.
    ///
    /// @param range on an Ascend device
    public record Uncertain(
            double value, Optional<Band> band, @Nullable LaunchRange range) {}

    /// Attention data parallel ranks of all replicas.
    public int ranks() {
        return replicas * deployment.layout().dp();
    }

    public int devices() {
        return replicas * deployment.layout().deviceCount();
    }

    public int rankConcurrency() {
        return (int) figures.concurrency();
    }

    public Uncertain ttftMillis() {
        return uncertain(one -> one.ttft().benchmarkMillis(), bands::ofTtft);
    }

    public Uncertain ttftBurstMillis() {
        return uncertain(one -> one.ttft().burstMillis(), bands::ofTtftStatistic);
    }

    public Uncertain ttftSettledMillis() {
        return uncertain(one -> one.ttft().settledMillis(), bands::ofTtftStatistic);
    }

    public Uncertain tpotMillis() {
        return uncertain(SteadyFigures::tpotMillis, bands::ofTpot);
    }

    /// A step in which all that run decode.
    public Uncertain decodeMillis() {
        return uncertain(one -> one.steps().decodeMillis(), bands::ofTpot);
    }

    /// One prompt.
    public Uncertain prefillMillis() {
        return uncertain(one -> one.steps().prefillMillis(), bands::ofTtft);
    }

    /// Of the deployment.
    public Uncertain tokensPerSecond() {
        return rate(one -> one.outputTokensPerSecond() * ranks());
    }

    public Uncertain tokensPerSecondPerDevice() {
        return rate(one -> one.outputTokensPerSecond() * ranks() / devices());
    }

    /// Of the deployment.
    public Uncertain requestsPerSecond() {
        return rate(one -> one.requestsPerSecond() * ranks());
    }

    private Uncertain rate(ToDoubleFunction<SteadyFigures> rate) {
        double decodeMillis = figures.outputTokens() * figures.tpotMillis();
        return uncertain(rate, value -> bands.ofThroughput(value, figures.ttft().benchmarkMillis(), decodeMillis));
    }

    private Uncertain uncertain(ToDoubleFunction<SteadyFigures> figure, BandOf band) {
        double value = figure.applyAsDouble(figures);
        return new Uncertain(
                value, band.of(value), captured == null ? null : range(value, figure.applyAsDouble(captured)));
    }

    /// Free launches make times shorter and rates higher.
    private static LaunchRange range(double priced, double captured) {
        return new LaunchRange(Math.min(priced, captured), Math.max(priced, captured));
    }

    @FunctionalInterface
    private interface BandOf {
        Optional<Band> of(double value);
    }
}
