package io.throughputoptimizer.api.result.figure;

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
        description = "Prediction intervals of a row's figures. Requires `cost_model: calibrated`; absent"
                + " for uncalibrated figures. Figures of Ascend devices have a range instead, without"
                + " and with kernel launches, because kernels were measured by single launches. A range"
                + " has no coverage.")
public record FigureBandsResponse(
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

        @Schema(description = "Prediction interval of `tokens_per_s_per_device`.") @Nullable
        BandResponse tokensPerSPerDeviceBand,

        @Schema(description = "Range of `tokens_per_s_per_device` on an Ascend device.") @Nullable
        BandResponse tokensPerSPerDeviceRange,

        @Schema(description = "Prediction interval of `requests_per_s`.") @Nullable
        BandResponse requestsPerSBand,

        @Schema(description = "Range of `requests_per_s` on an Ascend device.") @Nullable
        BandResponse requestsPerSRange,

        @Schema(description = FigureBandsResponse.FLAGS) @Nullable
        List<String> flags,

        @Schema(description = FigureBandsResponse.PLAIN) @Nullable
        PlainResponse plain,

        @Schema(description = "Number of measurements used for this row. Absent if `feedback` corrects nothing.")
        @Nullable
        LearntFromResponse learntFrom)
        implements CurveBands {
    static final String FLAGS = "Uncertainty flags; each widens the prediction intervals. `device`: no measured"
            + " serving figures. `family`: kernels of another device or backend, or unmeasured"
            + " attention. `capacity`: KV cache nearly full. `layout`: attention data parallelism"
            + " combined with TP. `extrapolated`: lengths, requests or ranks outside the measured"
            + " range. `speculation`: draft tokens. `one_wave`: too few waves for a steady state."
            + " `saturated`: prompts fill the token budget of steps, so TPOT depends on"
            + " `engine.max_batched_tokens`. `uncalibrated`: no prediction interval.";
    static final String PLAIN =
            "Values before calibration with your measurements. Absent if `feedback` corrects" + " nothing.";

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
