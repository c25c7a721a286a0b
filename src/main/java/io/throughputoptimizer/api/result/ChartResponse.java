package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.BandResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One chart as series of points.
@Schema(name = "Chart")
public record ChartResponse(String title, String x, String y, List<SeriesResponse> series) {

    /// Points of one layout.
    @Schema(name = "Series")
    public record SeriesResponse(String label, List<CurvePointResponse> points) {}

    /// A probe that fits in memory.
    @Schema(name = "CurvePoint")
    public record CurvePointResponse(
            double x,
            double y,
            @Nullable Long batchSize,
            @Nullable Long concurrency,
            boolean withinSlo,
            @Nullable BandResponse xBand,
            @Nullable BandResponse xRange,
            @Nullable BandResponse yBand,
            @Nullable BandResponse yRange,
            @Nullable Boolean uncalibrated) {}
}
