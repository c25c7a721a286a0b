package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A figure of many requests, each statistic with where it may lie.
@Schema(
        name = "SimulatedStatistics",
        description = "Statistics of a figure over many requests, in ms. Each has a prediction interval or,"
                + " on an Ascend device, a range without and with kernel launches.")
public record StatisticsResponse(
        @Schema(description = "Mean.") double mean,

        @Schema(description = "Prediction interval of the mean.") @Nullable
        BandResponse meanBand,

        @Schema(description = "Range of the mean.") @Nullable
        BandResponse meanRange,

        @Schema(description = "Median.") double p50,

        @Schema(description = "Prediction interval of the median.") @Nullable
        BandResponse p50Band,

        @Schema(description = "Range of the median.") @Nullable
        BandResponse p50Range,

        @Schema(description = "90th percentile.") double p90,

        @Schema(description = "Prediction interval of the 90th percentile.") @Nullable
        BandResponse p90Band,

        @Schema(description = "Range of the 90th percentile.") @Nullable
        BandResponse p90Range,

        @Schema(description = "99th percentile.") double p99,

        @Schema(description = "Prediction interval of the 99th percentile.") @Nullable
        BandResponse p99Band,

        @Schema(description = "Range of the 99th percentile.") @Nullable
        BandResponse p99Range,

        @Schema(description = "Percentiles in the request.") List<PercentileResponse> others) {

    /// A percentile that was asked for.
    @Schema(name = "Percentile", description = "A requested percentile.")
    public record PercentileResponse(
            @Schema(description = "The percentile.", example = "95.0")
            double percentile,

            @Schema(description = "Value of the percentile in ms.")
            double ms,

            @Schema(description = "Prediction interval of the value.") @Nullable
            BandResponse msBand,

            @Schema(description = "Range of the value.") @Nullable
            BandResponse msRange,

            @Schema(description = "Limit that the value is held against, of rows with `slo.percentile`.") @Nullable
            Double limitMs) {}

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
