package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.workload.Phase;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// How throughput grows with concurrency, and what that costs in latency (curves): every probe that fits in memory,
/// those that break a limit too.
///
/// @param phase what the curves are about; decides which latency they have
/// @param series one per layout, in the order of their labels
public record ThroughputCurves(Phase phase, List<Series> series) {

    /// Points of one layout by concurrency, then batch size, then throughput.
    public record Series(ParallelLayout layout, List<Point> points) {
        public Series {
            points = List.copyOf(points);
        }
    }

    /// One probe.
    ///
    /// @param latencyMillis TTFT of prefill, else TPOT
    /// @param withinObjective whether it keeps every limit
    public record Point(
            long batchSize, long concurrency, double latencyMillis, double tokensPerSecond, boolean withinObjective) {

        private static final Comparator<Point> ORDER = Comparator.comparingLong(Point::concurrency)
                .thenComparingLong(Point::batchSize)
                .thenComparingDouble(Point::tokensPerSecond);
    }

    public ThroughputCurves {
        series = List.copyOf(series);
    }

    /// Curves of one phase: output tokens, in prefill input tokens, per second. Probes without the phase's latency
    /// are left out.
    public static ThroughputCurves of(PhaseResult result) {
        return of(result, point -> {
            Double latency = latency(result.phase(), point);
            return latency == null ? Stream.empty() : Stream.of(point(point, latency, point.tokensPerSecond()));
        });
    }

    /// Curves of the decode side of a ratio search. Throughput is that of the rounded TPOT, as the ratio's is:
    /// `concurrency / tpot * 1000`, for positive ones.
    ///
    /// @param decode result of the decode phase
    public static ThroughputCurves ofPdRatio(PhaseResult decode) {
        return of(decode, point -> {
            Double tpot = point.tpotMillis();
            return tpot == null || tpot <= 0
                    ? Stream.empty()
                    : Stream.of(point(point, tpot, point.concurrency() / tpot * 1000));
        });
    }

    private static ThroughputCurves of(PhaseResult result, Function<SearchPoint, Stream<Point>> shown) {
        TreeMap<String, List<SearchPoint>> byLabel = result.points().stream()
                .collect(Collectors.groupingBy(point -> point.layout().label(), TreeMap::new, Collectors.toList()));
        return new ThroughputCurves(
                result.phase(),
                byLabel.values().stream()
                        .map(points -> new Series(
                                points.getFirst().layout(),
                                points.stream()
                                        .flatMap(shown)
                                        .sorted(Point.ORDER)
                                        .toList()))
                        .filter(series -> !series.points().isEmpty())
                        .toList());
    }

    private static @Nullable Double latency(Phase phase, SearchPoint point) {
        return switch (phase) {
            case PREFILL -> point.ttftMillis();
            case DECODE, AGGREGATION -> point.tpotMillis();
        };
    }

    private static Point point(SearchPoint probe, double latencyMillis, double tokensPerSecond) {
        return new Point(
                probe.batchSize(), probe.concurrency(), latencyMillis, tokensPerSecond, probe.withinObjective());
    }
}
