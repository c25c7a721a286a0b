package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A figure of many requests, each statistic with where it may lie.
@Schema(name = "SimulatedStatistics")
public record StatisticsResponse(
        double mean,
        @Nullable BandResponse meanBand,
        @Nullable BandResponse meanRange,
        double p50,
        @Nullable BandResponse p50Band,
        @Nullable BandResponse p50Range,
        double p90,
        @Nullable BandResponse p90Band,
        @Nullable BandResponse p90Range,
        double p99,
        @Nullable BandResponse p99Band,
        @Nullable BandResponse p99Range,
        List<PercentileResponse> others) {

    /// A percentile that was asked for.
    @Schema(name = "Percentile")
    public record PercentileResponse(
            double percentile,
            double ms,
            @Nullable BandResponse msBand,
            @Nullable BandResponse msRange,
            @Nullable Double limitMs) {}

    /// A value and where it may lie.
    public record Statistic(
            double value,
            @Nullable BandResponse band,
            @Nullable BandResponse range) {}

    /// Looks statistics up.
    public interface Source {
        Statistic mean();

        Statistic percentile(double percent);
    }

    public static StatisticsResponse from(Source source, List<Double> percentiles) {
        return with(
                percentiles.stream().map(percent -> new Asked(percent, null)).toList(), source);
    }

    /// Returns the statistics with the percentile of a limit; the usual ones without such a limit.
    ///
    /// @param percent absent without such a limit
    public static StatisticsResponse from(Source source, @Nullable Double percent, @Nullable Double limitMillis) {
        Double finite = limitMillis == null || limitMillis.isInfinite() ? null : limitMillis;
        return with(percent == null ? List.of() : List.of(new Asked(percent, finite)), source);
    }

    private record Asked(double percent, @Nullable Double limitMillis) {}

    private static StatisticsResponse with(List<Asked> percentiles, Source source) {
        Statistic mean = source.mean();
        Statistic p50 = source.percentile(50);
        Statistic p90 = source.percentile(90);
        Statistic p99 = source.percentile(99);
        return new StatisticsResponse(
                mean.value,
                mean.band,
                mean.range,
                p50.value,
                p50.band,
                p50.range,
                p90.value,
                p90.band,
                p90.range,
                p99.value,
                p99.band,
                p99.range,
                percentiles.stream().map(asked -> other(source, asked)).toList());
    }

    private static PercentileResponse other(Source source, Asked asked) {
        Statistic statistic = source.percentile(asked.percent);
        return new PercentileResponse(
                asked.percent, statistic.value, statistic.band, statistic.range, asked.limitMillis);
    }
}
