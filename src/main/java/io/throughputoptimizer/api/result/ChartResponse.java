package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.BandResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One chart as series of points.
@Schema(
        name = "Chart",
        description =
                "Throughput over something, one series per parallel layout; or devices over demand, one series per kind of device and deployment.")
public record ChartResponse(
        @Schema(description = "Title of the chart.", example = "Decode: throughput vs TPOT")
        String title,

        @Schema(description = "Name and unit of the horizontal axis.", example = "TPOT (ms)")
        String x,

        @Schema(description = "Name and unit of the vertical axis.", example = "Throughput (token/s)")
        String y,

        @Schema(description = "Curves in alphabetical order of their labels.")
        List<SeriesResponse> series) {

    /// Points of one layout.
    @Schema(name = "Series", description = "Points of one layout, by concurrency, batch size and throughput.")
    public record SeriesResponse(
            @Schema(description = "Label of the layout.", example = "TP=8 | PP=1 | DP=1")
            String label,

            @Schema(description = "Points by concurrency, batch size and throughput.")
            List<CurvePointResponse> points) {}

    /// A probe that fits in memory.
    @Schema(name = "CurvePoint", description = "A probe that fits in memory.")
    public record CurvePointResponse(
            @Schema(description = "Value on the x axis, in its unit.")
            double x,

            @Schema(description = "Value on the y axis, in its unit.")
            double y,

            @Schema(description = "Requests per data parallel rank; absent for devices over demand.") @Nullable
            Long batchSize,

            @Schema(description = "Requests of the whole instance; absent for devices over demand.") @Nullable
            Long concurrency,

            @Schema(description = "True if all targets are met.")
            boolean withinSlo,

            @Schema(
                    description = "Prediction interval of `x`. Requires `cost_model: calibrated`; absent if `x` is no"
                            + " prediction.")
            @Nullable
            BandResponse xBand,

            @Schema(description = "Range of `x` on an Ascend device.") @Nullable
            BandResponse xRange,

            @Schema(
                    description = "Prediction interval of `y`. Requires `cost_model: calibrated`; absent if"
                            + " uncalibrated.")
            @Nullable
            BandResponse yBand,

            @Schema(description = "Range of `y` on an Ascend device.") @Nullable
            BandResponse yRange,

            @Schema(description = "Present and true where the figures have no band.") @Nullable
            Boolean uncalibrated) {}
}
