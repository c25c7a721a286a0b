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
@Schema(name = "FigureBands")
public record FigureBandsResponse(
        @Nullable BandResponse ttftMsBand,
        @Nullable BandResponse ttftMsRange,
        @Nullable BandResponse tpotMsBand,
        @Nullable BandResponse tpotMsRange,
        @Nullable BandResponse tokensPerSBand,
        @Nullable BandResponse tokensPerSRange,
        @Nullable BandResponse tokensPerSPerDeviceBand,
        @Nullable BandResponse tokensPerSPerDeviceRange,
        @Nullable BandResponse requestsPerSBand,
        @Nullable BandResponse requestsPerSRange,
        @Nullable List<String> flags,
        @Nullable PlainResponse plain,
        @Nullable LearntFromResponse learntFrom)
        implements CurveBands {

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
