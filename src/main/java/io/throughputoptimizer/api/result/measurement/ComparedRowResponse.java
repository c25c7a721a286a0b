package io.throughputoptimizer.api.result.measurement;

import static java.util.Objects.requireNonNull;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.reading.MeasurementReader.Prediction;
import io.throughputoptimizer.api.reading.MeasurementReader.Row;
import io.throughputoptimizer.api.request.FeedbackRequest.ServedRowRequest;
import io.throughputoptimizer.api.request.MeasuredRowRequest;
import io.throughputoptimizer.api.request.MeasuredRowRequest.LayoutRequest;
import io.throughputoptimizer.api.result.figure.BandResponse;
import io.throughputoptimizer.api.result.figure.PointBandsResponse;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.serving.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// One row, measured and predicted.
@Schema(name = "ComparedRow")
public record ComparedRowResponse(
        LayoutResponse parallel,
        int concurrency,
        @Nullable Double requestRate,
        int inputLength,
        int outputLength,
        double randomRangeRatio,
        double waves,
        @Nullable Double tpotMs,
        @Nullable Double ttftMs,
        @Nullable Double tokensPerS,
        @Nullable PredictedResponse predicted,
        @Nullable PredictedResponse learnt,
        RatioResponse ratio,
        InBandResponse inBand,
        @Nullable List<String> notes) {

    /// Figures that are further off are a mistake, not a server: `|ln(measured / predicted)|`.
    private static final double MOST_OFF = 1.5;

    /// Parallel layout of an instance.
    @Schema(name = "ComparedLayout")
    public record LayoutResponse(int tp, int dp, int ep) {}

    /// A prediction of a row.
    @Schema(name = "PredictedRow")
    public record PredictedResponse(
            @Nullable Double tpotMs,
            @Nullable Double ttftMs,
            Double tokensPerS,
            @Nullable BandResponse tpotMsBand,
            @Nullable BandResponse ttftMsBand,
            @Nullable BandResponse tokensPerSBand,
            @Nullable List<String> flags) {

        private static PredictedResponse of(io.throughputoptimizer.core.feedback.Prediction prediction) {
            return new PredictedResponse(
                    prediction.tpotMillis(),
                    prediction.ttftMillis(),
                    prediction.tokensPerSecond(),
                    BandResponse.from(prediction.tpotBand()),
                    BandResponse.from(prediction.ttftBand()),
                    BandResponse.from(prediction.tokensBand()),
                    null);
        }

        private static PredictedResponse of(Prediction prediction) {
            return switch (prediction) {
                case Prediction.Calibrated(CalibratedPoint at) -> {
                    PointBandsResponse bands = PointBandsResponse.of(at);
                    yield new PredictedResponse(
                            at.tpotMillis().value(),
                            at.ttftMillis().value(),
                            at.tokensPerSecond().value(),
                            bands.tpotMsBand(),
                            bands.ttftMsBand(),
                            bands.tokensPerSBand(),
                            bands.flags());
                }
                case Prediction.Analytic(Figures figures) ->
                    new PredictedResponse(
                            figures.tpotMillis(),
                            figures.ttftMillis(),
                            figures.tokensPerSecond(),
                            null,
                            null,
                            null,
                            null);
            };
        }
    }

    /// Measured over predicted.
    @Schema(name = "MeasuredRatio")
    public record RatioResponse(
            @Nullable Double tpotMs,
            @Nullable Double ttftMs,
            @Nullable Double tokensPerS) {}

    /// Comparison of measured figures with the prediction interval.
    @Schema(name = "InBand")
    public record InBandResponse(
            @Nullable Boolean tpotMs,
            @Nullable Boolean ttftMs,
            @Nullable Boolean tokensPerS) {}

    /// The measured part.
    ServedRowRequest toRow() {
        return new ServedRowRequest(
                new LayoutRequest(parallel.tp, parallel.dp, parallel.ep),
                concurrency,
                inputLength,
                outputLength,
                randomRangeRatio,
                waves,
                tpotMs,
                ttftMs,
                null);
    }

    static ComparedRowResponse of(Row row) {
        MeasuredRowRequest measured = row.measured();
        MeasuredRowRequest.LayoutRequest layout = requireNonNull(measured.parallel());
        PredictedResponse predicted = row.prediction() == null ? null : PredictedResponse.of(row.prediction());
        RatioResponse ratio = predicted == null
                ? new RatioResponse(null, null, null)
                : ratios(measured.tpotMs(), measured.ttftMs(), measured.tokensPerS(), predicted);
        InBandResponse inBand = predicted == null
                ? new InBandResponse(null, null, null)
                : new InBandResponse(
                        isIn(measured.tpotMs(), predicted.tpotMsBand),
                        isIn(measured.ttftMs(), predicted.ttftMsBand),
                        isIn(measured.tokensPerS(), predicted.tokensPerSBand));
        List<String> notes = new ArrayList<>(row.notes());
        addMistakes("tpot_ms", ratio.tpotMs, notes);
        addMistakes("ttft_ms", ratio.ttftMs, notes);
        return new ComparedRowResponse(
                new LayoutResponse(requireNonNull(layout.tp()), layout.dp(), layout.ep()),
                requireNonNull(measured.concurrency()),
                measured.requestRate(),
                requireNonNull(measured.inputLength()),
                requireNonNull(measured.outputLength()),
                measured.randomRangeRatio(),
                measured.waves(),
                measured.tpotMs(),
                measured.ttftMs(),
                measured.tokensPerS(),
                predicted,
                row.byTheOthers() == null ? null : PredictedResponse.of(row.byTheOthers()),
                ratio,
                inBand,
                notes.isEmpty() ? null : List.copyOf(notes));
    }

    /// Returns the ratios to the prediction calibrated by the other rows, or null without one.
    @Nullable
    RatioResponse learntRatio() {
        return learnt == null ? null : ratios(tpotMs, ttftMs, tokensPerS, learnt);
    }

    private static RatioResponse ratios(
            @Nullable Double tpotMs,
            @Nullable Double ttftMs,
            @Nullable Double tokensPerS,
            PredictedResponse predicted) {
        return new RatioResponse(
                ratio(tpotMs, predicted.tpotMs),
                ratio(ttftMs, predicted.ttftMs),
                ratio(tokensPerS, predicted.tokensPerS));
    }

    private static void addMistakes(String member, @Nullable Double ratio, List<String> notes) {
        if (ratio != null && Math.abs(Math.log(ratio)) > MOST_OFF) {
            notes.add(String.format(
                    Locale.ROOT,
                    "%s: measured / predicted = %.3g; this fits nothing: check layout, lengths and unit",
                    member,
                    ratio));
        }
    }

    private static @Nullable Double ratio(@Nullable Double measured, @Nullable Double predicted) {
        return measured == null || predicted == null || predicted == 0 ? null : (Double) (measured / predicted);
    }

    private static @Nullable Boolean isIn(@Nullable Double measured, @Nullable BandResponse band) {
        if (measured == null || band == null) {
            return null;
        }
        boolean aboveLow = band.low() == null || measured >= band.low();
        boolean belowHigh = band.high() == null || measured <= band.high();
        return aboveLow && belowHigh;
    }
}
