package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Bands and ranges of a point of a curve or of a frontier; of cost model `calibrated` only.
@Schema(name = "PointBands", description = "Prediction intervals of the figures of a point, like those of a row.")
public record PointBandsResponse(
        @Schema(description = "Prediction interval of `ttft_ms`.") @Nullable
        BandResponse ttftMsBand,

        @Schema(description = "Range of `ttft_ms` on an Ascend device.") @Nullable
        BandResponse ttftMsRange,

        @Schema(description = "Prediction interval of `tpot_ms`.") @Nullable
        BandResponse tpotMsBand,

        @Schema(description = "Range of `tpot_ms` on an Ascend device.") @Nullable
        BandResponse tpotMsRange,

        @Schema(description = "Prediction interval of `tokens_per_s`.") @Nullable
        BandResponse tokensPerSBand,

        @Schema(description = "Range of `tokens_per_s` on an Ascend device.") @Nullable
        BandResponse tokensPerSRange,

        @Schema(description = FigureBandsResponse.FLAGS) @Nullable
        List<String> flags,

        @Schema(description = FigureBandsResponse.PLAIN) @Nullable
        PlainResponse plain)
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
