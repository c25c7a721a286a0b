package io.throughputoptimizer.report;

import io.throughputoptimizer.core.search.PdRatioResult;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.search.ThroughputCurves;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.ServiceObjective;
import io.throughputoptimizer.report.Chart.Axis;
import io.throughputoptimizer.report.Chart.Best;
import io.throughputoptimizer.report.Chart.Point;
import io.throughputoptimizer.report.Chart.Series;
import io.throughputoptimizer.report.Findings.DeviceFindings;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Throughput over concurrency and over latency (results, curves). Every probe that fits in memory is a point, also
/// one that breaks a limit. There are charts for a single kind of device only; where the P/D ratio is asked for, they
/// show decode.
///
/// @param note why there is no chart; empty when there is one
public record Curves(List<Chart> charts, String note) {
    private static final Axis THROUGHPUT = new Axis("Throughput", "token/s");
    private static final Measure CONCURRENCY =
            new Measure(new Axis("Concurrency", null), ThroughputCurves.Point::concurrency, null);

    public Curves {
        charts = List.copyOf(charts);
    }

    /// What a horizontal axis measures.
    ///
    /// @param limit highest value allowed; absent for none
    private record Measure(
            Axis axis,
            ToDoubleFunction<ThroughputCurves.Point> of,
            @Nullable Double limit) {

        /// The latency that a phase is about: the time to first token where only first tokens are made.
        private static Measure latency(Phase phase, ServiceObjective objective) {
            return switch (phase) {
                case PREFILL -> latency("TTFT", objective.ttftMillis());
                case DECODE, AGGREGATION -> latency("TPOT", objective.tpotMillis());
            };
        }

        private static Measure latency(String name, @Nullable Double limit) {
            boolean limited = limit != null && Double.isFinite(limit);
            return new Measure(new Axis(name, "ms"), ThroughputCurves.Point::latencyMillis, limited ? limit : null);
        }

        private Point point(ThroughputCurves.Point point) {
            return new Point(
                    of.applyAsDouble(point),
                    point.tokensPerSecond(),
                    point.batchSize(),
                    point.concurrency(),
                    point.withinObjective());
        }
    }

    /// The best row as a point of its curve.
    private record BestRow(String label, ThroughputCurves.Point point) {

        private static @Nullable BestRow of(PhaseResult result) {
            return result.rows().isEmpty()
                    ? null
                    : of(result.phase(), result.rows().getFirst());
        }

        private static @Nullable BestRow of(Phase phase, ResultRow row) {
            Double latency = phase == Phase.PREFILL
                    ? row.figures().ttftMillis()
                    : row.figures().tpotMillis();
            return latency == null
                    ? null
                    : new BestRow(
                            row.layout().label(),
                            new ThroughputCurves.Point(
                                    row.batchSize(),
                                    row.concurrency(),
                                    latency,
                                    row.figures().tokensPerSecond(),
                                    true));
        }

        private static @Nullable BestRow of(PdRatioResult result) {
            return result.rows().isEmpty() ? null : of(result.rows().getFirst().decode());
        }

        private static BestRow of(Side decode) {
            return new BestRow(
                    decode.layout().label(),
                    new ThroughputCurves.Point(
                            decode.batchSize(),
                            decode.concurrency(),
                            decode.latencyMillis(),
                            decode.concurrency() / decode.latencyMillis() * 1000,
                            true));
        }
    }

    /// Charts of some findings.
    public static Curves of(Findings findings) {
        int kinds = findings.devices().size();
        if (kinds > 1) {
            return new Curves(List.of(), "Curves are drawn for one kind of device; here are " + kinds + ".");
        }
        return new Curves(
                charts(findings.devices().getFirst(), findings.question().objective()), "");
    }

    private static List<Chart> charts(DeviceFindings device, ServiceObjective objective) {
        PdRatioResult pdRatio = device.pdRatio();
        Stream<Chart> charts = pdRatio == null
                ? device.phases().stream()
                        .flatMap(phase -> charts(ThroughputCurves.of(phase), BestRow.of(phase), objective))
                : charts(ThroughputCurves.ofPdRatio(device.phases().getLast()), BestRow.of(pdRatio), objective);
        return charts.toList();
    }

    private static Stream<Chart> charts(ThroughputCurves curves, @Nullable BestRow best, ServiceObjective objective) {
        return Stream.of(CONCURRENCY, Measure.latency(curves.phase(), objective))
                .map(measure -> chart(curves, best, measure));
    }

    private static Chart chart(ThroughputCurves curves, @Nullable BestRow best, Measure measure) {
        String phase = curves.phase().name();
        return new Chart(
                phase.charAt(0) + phase.substring(1).toLowerCase(Locale.ROOT) + ": throughput vs "
                        + measure.axis.topic(),
                measure.axis,
                THROUGHPUT,
                measure.limit,
                best == null ? null : new Best(best.label, measure.point(best.point)),
                curves.series().stream()
                        .map(series -> new Series(
                                series.layout().label(),
                                series.points().stream().map(measure::point).toList()))
                        .toList());
    }
}
