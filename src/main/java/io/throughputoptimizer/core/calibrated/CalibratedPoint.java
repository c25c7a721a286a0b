package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.kernels.Bands;
import io.throughputoptimizer.core.kernels.Bands.Band;
import io.throughputoptimizer.core.kernels.LaunchRange;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.Objective.Delivered;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Figures of a calibrated deployment at one concurrency, each with its prediction interval.
///
/// @param figures steady-state figures of one share of the load
/// @param captured figures on an Ascend device without launch overhead; absent on other devices
/// @param basis basis of the TTFT
public record CalibratedPoint(
        CalibratedInstances instances,
        SteadyFigures figures,
        @Nullable SteadyFigures captured,
        Bands bands,
        TtftBasis basis) {

    @FunctionalInterface
    private interface BandOf {
        Optional<Band> of(double value);
    }

    public InstanceLayout arrangement() {
        return instances.arrangement();
    }

    /// Returns the replicas.
    ///
    /// @throws ClassCastException if the point is of disaggregated instances
    public CalibratedInstances.Replicas replicas() {
        return (CalibratedInstances.Replicas) instances;
    }

    /// Returns the disaggregated instances.
    ///
    /// @throws ClassCastException if the point is of replicas
    public CalibratedInstances.Pair pair() {
        return (CalibratedInstances.Pair) instances;
    }

    /// Returns the busy devices.
    public int devices() {
        return instances.devices();
    }

    /// Returns the requests in flight over all instances.
    public long concurrency() {
        return ((long) figures.concurrency()) * instances.shares();
    }

    /// Returns the requests in flight per rank of replicas, or the maximum batch size of a decode rank.
    public long ofRank() {
        return switch (instances) {
            case CalibratedInstances.Replicas _ -> (long) figures.concurrency();
            case CalibratedInstances.Pair _ -> (long) Math.ceil(running());
        };
    }

    /// Returns the batch size of a decode rank.
    public double running() {
        return figures.steps().running();
    }

    /// Returns the point without corrections; empty if measurements do not correct it.
    public Optional<CalibratedPoint> ofModel() {
        return figures.correction() == null
                ? Optional.empty()
                : Optional.of(new CalibratedPoint(instances, figures.ofLaw(), captured, bands.ofModel(), basis));
    }

    /// Returns the mean TTFT of the basis.
    public Uncertain ttftMillis() {
        return switch (basis) {
            case BENCHMARK -> ttftBenchmarkMillis();
            case SETTLED -> ttftSettledMillis();
        };
    }

    /// Returns the mean end-to-end latency, `TTFT + (osl - 1) TPOT`.
    ///
    /// @param basis basis of the TTFT
    public Uncertain requestLatencyMillis(TtftBasis basis) {
        return of(
                one -> one.requestLatencyMillis(basis),
                _ -> bands.ofRequestLatency(
                        figures.ttftMillis(basis) - figures.knownMillis(),
                        figures.decodedMillis(),
                        figures.knownMillis()));
    }

    /// Returns the mean TTFT that a benchmark reports.
    public Uncertain ttftBenchmarkMillis() {
        return of(one -> one.ttft().benchmarkMillis(), first(bands::ofTtft));
    }

    public Uncertain ttftBurstMillis() {
        return of(one -> one.ttft().burstMillis(), first(bands::ofTtftStatistic));
    }

    public Uncertain ttftSettledMillis() {
        return of(one -> one.ttft().settledMillis(), first(bands::ofTtftStatistic));
    }

    /// Returns the interval of a TTFT from that of its unknown part.
    private BandOf first(BandOf band) {
        double known = figures.knownMillis();
        return value -> band.of(value - known).map(one -> one.plus(known));
    }

    public Uncertain tpotMillis() {
        return of(SteadyFigures::tpotMillis, bands::ofTpot);
    }

    /// Returns the time of a full decode step, by the model alone.
    public Uncertain decodeMillis() {
        return of(one -> one.steps().decodeMillis(), bands.ofModel()::ofTpot);
    }

    /// Returns the time of one prompt, by the model alone.
    public Uncertain prefillMillis() {
        return of(one -> one.steps().prefillMillis(), bands.ofModel()::ofTtft);
    }

    /// Returns the output tokens per second of all instances.
    public Uncertain tokensPerSecond() {
        return rate(one -> one.outputTokensPerSecond() * instances.shares());
    }

    /// Returns the output tokens per second and busy device.
    public Uncertain tokensPerSecondPerDevice() {
        return rate(one -> one.outputTokensPerSecond() * instances.shares() / devices());
    }

    /// Returns the requests per second of all instances.
    public Uncertain requestsPerSecond() {
        return rate(one -> one.requestsPerSecond() * instances.shares());
    }

    /// Returns the requests per second and busy device.
    public Uncertain requestsPerSecondPerDevice() {
        return rate(one -> one.requestsPerSecond() * instances.shares() / devices());
    }

    /// Returns a figure in proportion to the requests per second of all instances.
    public Uncertain rate(double factor) {
        return rate(one -> one.requestsPerSecond() * instances.shares() * factor);
    }

    /// Returns the requests per second that the step times of all instances sustain.
    public double sustainedRequestsPerS() {
        return instances.sustainedPerSecond(figures);
    }

    /// Returns a rate with the prediction interval of the request time.
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

    /// Returns the range with and without launch overhead; lower overhead shortens times and raises rates.
    private static LaunchRange range(double priced, double captured) {
        return new LaunchRange(Math.min(priced, captured), Math.max(priced, captured));
    }

    /// Returns the inputs of an objective.
    ///
    /// @param device name of the kind of device; pairs on two kinds have their own
    public Delivered delivered(String device) {
        double rate = tokensPerSecond().value();
        double each = tokensPerSecondPerDevice().value();
        double tpot = tpotMillis().value();
        if (instances instanceof CalibratedInstances.Pair pair && !pair.kinds().shareDevices()) {
            Map<String, Double> spent = new HashMap<>();
            spent.put(pair.kinds().prefill(), pair.prefillDevices() / rate);
            spent.put(pair.kinds().decode(), pair.decodeDevices() / rate);
            return new Delivered(spent, rate, each, tpot);
        }
        return new Delivered(Map.of(device, devices() / rate), rate, each, tpot);
    }

    /// Returns the value of an objective, with the prediction interval of its throughput or TPOT; empty if it
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

    /// A concurrency that was tried and fits in memory.
    public record TriedPoint(CalibratedPoint at, boolean withinLimits) {}

    /// A figure with its prediction interval or launch range; neither if it is uncalibrated on a device whose
    /// launches do not matter.
    ///
    /// @param range range of launch overhead on an Ascend device
    public record Uncertain(
            double value, Optional<Band> band, @Nullable LaunchRange range) {

        /// Returns a figure that falls as this one rises, `inverse * value = constant`, with the ends of its
        /// interval swapped.
        Uncertain inverse(double other) {
            double constant = other * value;
            return new Uncertain(
                    other,
                    band.map(ends -> new Band(
                            ends.high().isPresent() ? constant / ends.high().getAsDouble() : 0,
                            ends.low() > 0 ? OptionalDouble.of(constant / ends.low()) : OptionalDouble.empty(),
                            ends.basis())),
                    range == null ? null : new LaunchRange(constant / range.high(), constant / range.low()));
        }
    }
}
