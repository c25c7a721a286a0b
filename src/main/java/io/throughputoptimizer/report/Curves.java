package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.request.DemandRequest;
import io.throughputoptimizer.api.request.LimitsRequest;
import io.throughputoptimizer.api.result.CapacityResponse;
import io.throughputoptimizer.api.result.CapacityResponse.DeploymentResponse;
import io.throughputoptimizer.api.result.CapacityResponse.DevicesResponse;
import io.throughputoptimizer.api.result.PdRatioResponse;
import io.throughputoptimizer.api.result.PhaseResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.figure.CurveBands;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.report.Chart.Axis;
import io.throughputoptimizer.report.Chart.Point;
import io.throughputoptimizer.report.Chart.Series;
import io.throughputoptimizer.report.Chart.Spread;
import io.throughputoptimizer.report.table.BandedFigure;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Throughput over concurrency and over latency (results, curves). Every probe that fits in memory is a
/// point, also one that breaks a limit. There are charts for a single kind of device only; where the P/D
/// ratio is asked for, they show decode, and with cost model `calibrated` both sides together.
///
/// @param note why there is no chart; empty when there is one
public record Curves(List<Chart> charts, String note) {
    private static final Axis THROUGHPUT = new Axis("Throughput", "token/s");
    private static final Measure CONCURRENCY =
            new Measure(new Axis("Concurrency", null), Probe::concurrency, null, (_, _) -> null);

    public Curves {
        charts = List.copyOf(charts);
    }

    /// Quantity on a horizontal axis.
    ///
    /// @param limit highest value allowed; absent for none
    /// @param banded where a value may lie, given the bands of its point
    private record Measure(
            Axis axis,
            ToDoubleFunction<Probe> of,
            @Nullable Double limit,
            BiFunction<Double, CurveBands, @Nullable BandedFigure> banded) {

        /// The latency that a phase is about: the time to first token where only first tokens are made.
        /// Probes are means, and have no limit where that is on a percentile.
        private static Measure latency(PhaseName phase, LimitsRequest limits) {
            return switch (phase) {
                case PREFILL -> latency("TTFT", limits.ttftMs(), Measure::ttft);
                case DECODE, AGGREGATION ->
                    latency("TPOT", limits.percentile() == null ? limits.tpotLimitMs() : null, Measure::tpot);
            };
        }

        private static BandedFigure ttft(double millis, CurveBands bands) {
            return new BandedFigure(millis, bands.ttftMsBand(), bands.ttftMsRange());
        }

        private static BandedFigure tpot(double millis, CurveBands bands) {
            return new BandedFigure(millis, bands.tpotMsBand(), bands.tpotMsRange());
        }

        private static Measure latency(
                String name, @Nullable Double limit, BiFunction<Double, CurveBands, @Nullable BandedFigure> banded) {
            boolean limited = limit != null && Double.isFinite(limit);
            return new Measure(new Axis(name, "ms"), Probe::latencyMs, limited ? limit : null, banded);
        }

        /// Returns the end-to-end latency if points have it.
        private static Stream<Measure> requestLatency(LimitsRequest limits, Stream<Probe> probes) {
            Double limit = limits.e2eLatencyMs();
            return limit == null || probes.anyMatch(probe -> probe.e2eLatencyMs() == null)
                    ? Stream.empty()
                    : Stream.of(new Measure(
                            new Axis("Request latency", "ms"),
                            probe -> requireNonNull(probe.e2eLatencyMs()),
                            limits.percentile() == null && Double.isFinite(limit) ? limit : null,
                            (_, _) -> null));
        }

        private Point point(Probe probe) {
            return new Point(
                    of.applyAsDouble(probe),
                    probe.tokensPerS(),
                    probe.batchSize(),
                    probe.concurrency(),
                    probe.withinSlo(),
                    spread(probe));
        }

        private @Nullable Spread spread(Probe probe) {
            CurveBands bands = probe.bands();
            return bands == null
                    ? null
                    : new Spread(
                            banded.apply(of.applyAsDouble(probe), bands),
                            new BandedFigure(probe.tokensPerS(), bands.tokensPerSBand(), bands.tokensPerSRange()));
        }
    }

    /// Charts of one phase, for every renderer.
    ///
    /// @param title what the phase is called
    /// @param series by label, without those that have no point
    /// @param best the point that the ranked table begins with; absent when there is none
    private record Content(
            String title,
            PhaseName phase,
            TreeMap<String, List<Probe>> series,
            @Nullable Probe best) {

        private static Content of(PhaseResponse phase) {
            return new Content(
                    title(phase),
                    phase.phase(),
                    byLabel(phase.probes().flatMap(point -> Probe.of(phase.phase(), point))),
                    phase.rows().stream()
                            .limit(1)
                            .flatMap(row -> Probe.of(phase.phase(), row))
                            .findFirst()
                            .orElse(null));
        }

        private static Content of(PhaseResponse decode, PdRatioResponse ratio) {
            boolean together = ratio.rows().stream().anyMatch(row -> row.steady() != null);
            return new Content(
                    together ? "Prefill and decode" : title(decode),
                    decode.phase(),
                    byLabel(decode.probes().flatMap(Probe::ofPdRatio)),
                    ratio.rows().stream()
                            .limit(1)
                            .flatMap(Probe::of)
                            .findFirst()
                            .orElse(null));
        }

        private static String title(PhaseResponse phase) {
            return phase.phase().name().charAt(0) + phase.phase().wireName().substring(1);
        }

        private static TreeMap<String, List<Probe>> byLabel(Stream<Probe> probes) {
            return probes.sorted(Probe.ORDER)
                    .collect(Collectors.groupingBy(Probe::label, TreeMap::new, Collectors.toList()));
        }

        private Stream<Chart> charts(LimitsRequest limits) {
            return Stream.concat(
                            Stream.of(CONCURRENCY, Measure.latency(phase, limits)),
                            Measure.requestLatency(
                                    limits, series.values().stream().flatMap(List::stream)))
                    .map(this::chart);
        }

        private Chart chart(Measure measure) {
            return new Chart(
                    title + ": throughput vs " + measure.axis.topic(),
                    measure.axis,
                    THROUGHPUT,
                    measure.limit,
                    best == null ? null : measure.point(best),
                    series.entrySet().stream()
                            .map(entry -> new Series(
                                    entry.getKey(),
                                    entry.getValue().stream()
                                            .map(measure::point)
                                            .toList()))
                            .toList());
        }
    }

    /// Charts of some findings.
    public static Curves of(Findings findings) {
        CapacityResponse capacity = findings.result().capacity();
        if (capacity != null) {
            return CapacityCurves.of(findings, capacity);
        }
        if (findings.isComparison()) {
            return new Curves(
                    List.of(),
                    "Curves are drawn for one kind of device; here are "
                            + findings.devices().size() + ".");
        }
        return new Curves(
                contents(findings.devices().getFirst())
                        .flatMap(content -> content.charts(findings.request().slo()))
                        .toList(),
                "");
    }

    private static Stream<Content> contents(DeviceResponse device) {
        PdRatioResponse ratio = device.pdRatio();
        return ratio == null
                ? device.phases().stream().map(Content::of)
                : Stream.of(Content.of(device.phases().getLast(), ratio));
    }

    /// Fewest devices over demand, one series per kind of device and of deployment.
    record CapacityCurves(DemandRequest demand, CapacityResponse capacity) {
        private static final Axis DEVICES = new Axis("Devices", null);

        static Curves of(Findings findings, CapacityResponse capacity) {
            DemandRequest demand = requireNonNull(findings.request().demand());
            return new Curves(List.of(new CapacityCurves(demand, capacity).chart()), "");
        }

        private Chart chart() {
            TreeMap<String, List<Point>> series = capacity.curve().stream()
                    .collect(Collectors.groupingBy(
                            CapacityCurves::label,
                            TreeMap::new,
                            Collectors.mapping(
                                    point -> Point.of(point.demand(), point.numDevices()), Collectors.toList())));
            return new Chart(
                    "Fewest devices vs demand",
                    axis(),
                    DEVICES,
                    null,
                    best(),
                    series.entrySet().stream()
                            .map(entry -> new Series(entry.getKey(), entry.getValue()))
                            .toList());
        }

        private @Nullable Point best() {
            DeploymentResponse best = capacity.best();
            return best == null ? null : Point.of(amount(), best.numDevices());
        }

        private double amount() {
            if (demand.conversations() != null) {
                return demand.conversations();
            }
            if (demand.concurrency() != null) {
                return demand.concurrency();
            }
            return demand.requestsPerS() == null ? requireNonNull(demand.tokensPerS()) : demand.requestsPerS();
        }

        private Axis axis() {
            if (demand.conversations() != null) {
                return new Axis("Conversations", null);
            }
            if (demand.concurrency() != null) {
                return new Axis("Concurrency", null);
            }
            return demand.requestsPerS() == null ? new Axis("Demand", "token/s") : new Axis("Demand", "req/s");
        }

        private static String label(DevicesResponse point) {
            return point.device() + ", " + point.deployment();
        }
    }
}
