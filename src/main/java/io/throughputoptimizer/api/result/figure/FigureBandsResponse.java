package io.throughputoptimizer.api.result.figure;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.result.figure.FeedbackResponse.LearntFromResponse;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedPoint.Uncertain;
import io.throughputoptimizer.core.feedback.CalibrationPosterior;
import io.throughputoptimizer.core.kernels.Flag;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Prediction intervals of the figures of a row. A range is that of an Ascend device, whose kernels were
/// measured by single launches: without and with them. It has no coverage.
@Schema(
        name = "FigureBands",
        description =
                "Where the figures of a row may lie; cost model `calibrated` only. A band is absent where a figure"
                        + " is uncalibrated. A range is that of an Ascend device, whose kernels were measured by single"
                        + " launches: without and with them; it has no coverage.")
public record FigureBandsResponse(
        @Schema(description = "Of `ttft_ms`.") @Nullable BandResponse ttftMsBand,
        @Schema(description = "Of `ttft_ms`.") @Nullable BandResponse ttftMsRange,
        @Schema(description = "Of `tpot_ms`.") @Nullable BandResponse tpotMsBand,
        @Schema(description = "Of `tpot_ms`.") @Nullable BandResponse tpotMsRange,

        @JsonProperty("tokens_per_s_band") @Schema(description = "Of `tokens_per_s`.") @Nullable
        BandResponse tokensPerSBand,

        @JsonProperty("tokens_per_s_range") @Schema(description = "Of `tokens_per_s`.") @Nullable
        BandResponse tokensPerSRange,

        @JsonProperty("tokens_per_s_per_device_band") @Schema(description = "Of `tokens_per_s_per_device`.") @Nullable
        BandResponse tokensPerSPerDeviceBand,

        @JsonProperty("tokens_per_s_per_device_range") @Schema(description = "Of `tokens_per_s_per_device`.") @Nullable
        BandResponse tokensPerSPerDeviceRange,

        @Schema(description = "Of `requests_per_s`.") @Nullable
        BandResponse requestsPerSBand,

        @Schema(description = "Of `requests_per_s`.") @Nullable
        BandResponse requestsPerSRange,

        @Schema(description = FigureBandsResponse.FLAGS) @Nullable
        List<String> flags,

        @Schema(description = FigureBandsResponse.PLAIN) @Nullable
        PlainResponse plain,

        @Schema(description = "Measured figures that stand behind those of the row; absent likewise.") @Nullable
        LearntFromResponse learntFrom)
        implements CurveBands {
    static final String FLAGS = "Why the figures are less certain than their bands were measured to be, which are wider"
            + " for it: `device` without measured serving figures; kernels of a `family`; `capacity` of"
            + " the KV cache; `layout` with attention data parallelism beside tp; `extrapolated` lengths,"
            + " requests or ranks; `speculation`; `one_wave`. `uncalibrated`: there is no band.";
    static final String PLAIN = "Figures by the model alone; absent where `feedback` corrects nothing.";

    /// Returns the intervals of a row.
    ///
    /// @param learnt what corrects its figures
    public static FigureBandsResponse from(CalibratedPoint at, @Nullable CalibrationPosterior learnt) {
        FigureBandsResponse bands = of(
                at,
                at.ttftMillis(),
                at.tpotMillis(),
                at.tokensPerSecond(),
                at.tokensPerSecondPerDevice(),
                at.requestsPerSecond());
        return learnt == null
                ? bands
                : bands.with(
                        PlainResponse.of(at),
                        LearntFromResponse.of(learnt, at.replicas().deployment().layout()));
    }

    private FigureBandsResponse with(@Nullable PlainResponse before, @Nullable LearntFromResponse figures) {
        return WireMember.copy(this, "plain", before, "learntFrom", figures);
    }

    /// Returns the intervals of the figures that are shown.
    public static FigureBandsResponse of(
            CalibratedPoint at,
            @Nullable Uncertain ttft,
            @Nullable Uncertain tpot,
            Uncertain tokens,
            @Nullable Uncertain tokensPerDevice,
            @Nullable Uncertain requests) {
        return new FigureBandsResponse(
                BandResponse.of(ttft),
                BandResponse.rangeOf(ttft),
                BandResponse.of(tpot),
                BandResponse.rangeOf(tpot),
                BandResponse.of(tokens),
                BandResponse.rangeOf(tokens),
                BandResponse.of(tokensPerDevice),
                BandResponse.rangeOf(tokensPerDevice),
                BandResponse.of(requests),
                BandResponse.rangeOf(requests),
                flags(at),
                null,
                null);
    }

    static List<String> flags(CalibratedPoint at) {
        return at.bands().flags().stream().sorted().map(Flag::label).toList();
    }

    /// Returns the intervals, or null for analytic rows.
    public static @Nullable FigureBandsResponse orAbsent(@Nullable FigureBandsResponse bands) {
        return bands == null || bands.flags == null ? null : bands;
    }
}
