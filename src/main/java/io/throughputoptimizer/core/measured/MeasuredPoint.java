package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.Objective.Delivered;
import io.throughputoptimizer.core.silicon.Bands;
import io.throughputoptimizer.core.silicon.Bands.Band;
import io.throughputoptimizer.core.silicon.LaunchRange;
import io.throughputoptimizer.core.steady.SteadyFigures;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// What instances deliver at one concurrency, each figure with where it may lie.
///
/// @param figures of one of their shares of the load
/// @param captured the same on an Ascend device whose launches are all for free; absent on other devices
public record MeasuredPoint(
        MeasuredInstances instances,
        SteadyFigures figures,
        @Nullable SteadyFigures captured,
        Bands bands) {

    @FunctionalInterface
    private interface BandOf {
        Optional<Band> of(double value);
    }

    public Arrangement arrangement() {
        return instances.arrangement();
    }

    /// @throws ClassCastException if it is of a pair
    public MeasuredInstances.Replicas replicas() {
        return (MeasuredInstances.Replicas) instances;
    }

    /// @throws ClassCastException if it is of replicas
    public MeasuredInstances.Pair pair() {
        return (MeasuredInstances.Pair) instances;
    }

    /// Devices that work.
    public int devices() {
        return instances.devices();
    }

    /// Requests that clients have outstanding, over all instances.
    public long concurrency() {
        return ((long) figures.concurrency()) * instances.shares();
    }

    /// Requests outstanding at a rank of replicas; of pairs the most that a rank which decodes runs.
    public long ofRank() {
        return switch (instances) {
            case MeasuredInstances.Replicas _ -> (long) figures.concurrency();
            case MeasuredInstances.Pair _ -> (long) Math.ceil(running());
        };
    }

    /// Requests that a rank which decodes runs at once.
    public double running() {
        return figures.steps().running();
    }

    /// The same by the model alone, where measurements correct it; empty where nothing does.
    public Optional<MeasuredPoint> ofModel() {
        return figures.correction() == null
                ? Optional.empty()
                : Optional.of(new MeasuredPoint(instances, figures.ofLaw(), captured, bands.ofModel()));
    }

    /// The mean that a benchmark prints.
    public Uncertain ttftMillis() {
        return of(one -> one.ttft().benchmarkMillis(), first(bands::ofTtft));
    }

    /// The mean time of a whole answer, `TTFT + (osl - 1) TPOT`.
    ///
    /// @param basis of TTFT
    public Uncertain requestLatencyMillis(TtftBasis basis) {
        return of(
                one -> one.requestLatencyMillis(basis),
                _ -> bands.ofRequestLatency(
                        figures.ttftMillis(basis) - figures.knownMillis(),
                        figures.decodedMillis(),
                        figures.knownMillis()));
    }

    public Uncertain ttftBurstMillis() {
        return of(one -> one.ttft().burstMillis(), first(bands::ofTtftStatistic));
    }

    public Uncertain ttftSettledMillis() {
        return of(one -> one.ttft().settledMillis(), first(bands::ofTtftStatistic));
    }

    /// The band of a time to the first token without its known part, moved by that.
    private BandOf first(BandOf band) {
        double known = figures.knownMillis();
        return value -> band.of(value - known).map(one -> one.plus(known));
    }

    public Uncertain tpotMillis() {
        return of(SteadyFigures::tpotMillis, bands::ofTpot);
    }

    /// A step in which all that run decode, by the model.
    public Uncertain decodeMillis() {
        return of(one -> one.steps().decodeMillis(), bands.ofModel()::ofTpot);
    }

    /// One prompt, by the model.
    public Uncertain prefillMillis() {
        return of(one -> one.steps().prefillMillis(), bands.ofModel()::ofTtft);
    }

    /// Output tokens of all instances.
    public Uncertain tokensPerSecond() {
        return rate(one -> one.outputTokensPerSecond() * instances.shares());
    }

    /// By device that works.
    public Uncertain tokensPerSecondPerDevice() {
        return rate(one -> one.outputTokensPerSecond() * instances.shares() / devices());
    }

    /// Of all instances.
    public Uncertain requestsPerSecond() {
        return rate(one -> one.requestsPerSecond() * instances.shares());
    }

    /// By device that works.
    public Uncertain requestsPerSecondPerDevice() {
        return rate(one -> one.requestsPerSecond() * instances.shares() / devices());
    }

    /// Something in proportion to the requests per second of all instances.
    public Uncertain rate(double factor) {
        return rate(one -> one.requestsPerSecond() * instances.shares() * factor);
    }

    /// Requests per second of all instances that the time of their steps suffices for.
    public double sustainedQps() {
        return instances.sustainedPerSecond(figures);
    }

    /// Something per second: its band is that of the time that a request takes.
    private Uncertain rate(ToDoubleFunction<SteadyFigures> rate) {
        double decodeMillis = figures.outputTokens() * figures.tpotMillis();
        return of(
                rate,
                value -> bands.ofThroughput(
                        value,
                        figures.ttft().benchmarkMillis() - figures.knownMillis(),
                        decodeMillis,
                        figures.knownMillis()));
    }

    private Uncertain of(ToDoubleFunction<SteadyFigures> figure, BandOf band) {
        double value = figure.applyAsDouble(figures);
        return new Uncertain(
                value, band.of(value), captured == null ? null : range(value, figure.applyAsDouble(captured)));
    }

    /// Free launches make times shorter and rates higher.
    private static LaunchRange range(double priced, double captured) {
        return new LaunchRange(Math.min(priced, captured), Math.max(priced, captured));
    }

    /// What an objective looks at.
    ///
    /// @param device name of the kind of device; pairs on two kinds know theirs
    public Delivered delivered(String device) {
        double rate = tokensPerSecond().value();
        double each = tokensPerSecondPerDevice().value();
        double tpot = tpotMillis().value();
        if (instances instanceof MeasuredInstances.Pair pair && !pair.kinds().shareDevices()) {
            Map<String, Double> spent = new HashMap<>();
            spent.put(pair.kinds().prefill(), pair.prefillDevices() / rate);
            spent.put(pair.kinds().decode(), pair.decodeDevices() / rate);
            return new Delivered(spent, rate, each, tpot);
        }
        return new Delivered(device, rate, each, devices() / rate, tpot);
    }

    /// What it achieves of an objective, as uncertain as the throughput or the TPOT that it is made of; empty where it
    /// is infinite.
    ///
    /// @param device name of the kind of device
    public Optional<Uncertain> achieved(Objective objective, String device) {
        OptionalDouble value = objective.value(delivered(device));
        return value.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        switch (objective) {
                            case Objective.TokensPerSecond() -> tokensPerSecond();
                            case Objective.TokensPerSecondPerDevice() -> tokensPerSecondPerDevice();
                            case Objective.TokensPerSecondPerUser(var _) ->
                                tpotMillis().inverse(value.getAsDouble());
                            case Objective.CostPerMillionTokens _ ->
                                tokensPerSecondPerDevice().inverse(value.getAsDouble());
                        });
    }
}
