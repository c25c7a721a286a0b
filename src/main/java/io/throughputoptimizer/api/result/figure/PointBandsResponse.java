package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Bands and ranges of a point of a curve or of a frontier; of cost model `calibrated` only.
@Schema(name = "PointBands")
public record PointBandsResponse(
        @Nullable BandResponse ttftMsBand,
        @Nullable BandResponse ttftMsRange,
        @Nullable BandResponse tpotMsBand,
        @Nullable BandResponse tpotMsRange,
        @Nullable BandResponse tokensPerSBand,
        @Nullable BandResponse tokensPerSRange,
        @Nullable List<String> flags,
        @Nullable PlainResponse plain)
        implements CurveBands {

    /// Returns the bands of a point.
    public static PointBandsResponse of(CalibratedPoint at) {
        return new PointBandsResponse(
                BandResponse.of(at.ttftMillis()),
                BandResponse.rangeOf(at.ttftMillis()),
                BandResponse.of(at.tpotMillis()),
                BandResponse.rangeOf(at.tpotMillis()),
                BandResponse.of(at.tokensPerSecond()),
                BandResponse.rangeOf(at.tokensPerSecond()),
                FigureBandsResponse.flags(at),
                PlainResponse.of(at));
    }

    /// Returns the bands, or null for a point of cost model `analytic`.
    public static @Nullable PointBandsResponse orAbsent(@Nullable PointBandsResponse bands) {
        return bands == null || bands.flags == null ? null : bands;
    }
}
