package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.figure.BandResponse;
import io.throughputoptimizer.api.result.figure.StatisticsResponse;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.table.BandedFigure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Statistics of a simulation in reading order: the mean, then percentiles from the lowest to the highest.
final class SimulatedFigures {
    private SimulatedFigures() {}

    /// A statistic and where it may lie.
    ///
    /// @param name `mean`, or `p` and the percentile
    record Statistic(String name, BandedFigure figure) {}

    static List<Statistic> of(StatisticsResponse statistics) {
        List<Percentile> percentiles = new ArrayList<>(List.of(
                new Percentile(50, statistics.p50(), statistics.p50Band(), statistics.p50Range()),
                new Percentile(90, statistics.p90(), statistics.p90Band(), statistics.p90Range()),
                new Percentile(99, statistics.p99(), statistics.p99Band(), statistics.p99Range())));
        statistics.others().stream()
                .map(other -> new Percentile(other.percentile(), other.ms(), other.msBand(), other.msRange()))
                .filter(other -> percentiles.stream().noneMatch(usual -> usual.percent == other.percent))
                .forEach(percentiles::add);
        percentiles.sort(Comparator.comparingDouble(Percentile::percent));
        return Stream.concat(
                        Stream.of(new Statistic(
                                "mean",
                                new BandedFigure(statistics.mean(), statistics.meanBand(), statistics.meanRange()))),
                        percentiles.stream().map(Percentile::statistic))
                .toList();
    }

    private record Percentile(
            double percent,
            double value,
            @Nullable BandResponse band,
            @Nullable BandResponse range) {
        Statistic statistic() {
            return new Statistic("p" + Decimals.general(percent), new BandedFigure(value, band, range));
        }
    }
}
