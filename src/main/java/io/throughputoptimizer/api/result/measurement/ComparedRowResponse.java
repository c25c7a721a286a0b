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
@Schema(name = "ComparedRow", description = "A measured row and its prediction.")
public record ComparedRowResponse(
        @Schema(description = "Parallel layout of an instance.")
        LayoutResponse parallel,

        @Schema(description = "Concurrency of the instance.")
        int concurrency,

        @Schema(description = "Requests per second, if the concurrency follows from it.") @Nullable
        Double requestRate,

        @Schema(description = "Maximum input tokens.") int inputLength,

        @Schema(description = "Maximum output tokens.") int outputLength,

        @Schema(description = "Ratio of the shortest to the longest lengths.")
        double randomRangeRatio,

        @Schema(description = "Total requests divided by concurrency.")
        double waves,

        @Schema(description = "Measured TPOT in ms.") @Nullable
        Double tpotMs,

        @Schema(description = "Measured TTFT in ms.") @Nullable
        Double ttftMs,

        @Schema(description = "Measured output tokens per second.") @Nullable
        Double tokensPerS,

        @Schema(description = "Prediction by the model alone. Absent if the model considers the row infeasible.")
        @Nullable
        PredictedResponse predicted,

        @Schema(
                description = "Prediction by the model calibrated with the other rows of the set. Requires two rows"
                        + " or more, and measurements that can calibrate plans.")
        @Nullable
        PredictedResponse learnt,

        @Schema(description = "Measured values divided by predicted ones, for figures that have both.")
        RatioResponse ratio,

        @Schema(
                description = "Comparison of measured figures with their prediction intervals. Absent for figures"
                        + " without one.")
        InBandResponse inBand,

        @Schema(description = "Notes on the row. Absent if there are none.") @Nullable
        List<String> notes) {

    /// Figures that are further off are a mistake, not a server: `|ln(measured / predicted)|`.
    private static final double MOST_OFF = 1.5;

    /// Parallel layout of an instance.
    @Schema(name = "ComparedLayout", description = "Parallel layout of an instance.")
    public record LayoutResponse(
            @Schema(description = "Tensor parallel size.") int tp,

            @Schema(description = "Attention data parallel size.")
            int dp,

            @Schema(description = "Expert parallel size.") int ep) {}

    /// A prediction of a row.
    @Schema(
            name = "PredictedRow",
            description = "Predicted figures. Prediction intervals require `cost_model: calibrated`.")
    public record PredictedResponse(
            @Schema(description = "Mean TPOT in ms.") @Nullable
            Double tpotMs,

            @Schema(description = "Mean TTFT in ms.") @Nullable
            Double ttftMs,

            @Schema(description = "Output tokens per second of the instance.")
            Double tokensPerS,

            @Schema(description = "Prediction interval of `tpot_ms`.") @Nullable
            BandResponse tpotMsBand,

            @Schema(description = "Prediction interval of `ttft_ms`.") @Nullable
            BandResponse ttftMsBand,

            @Schema(description = "Prediction interval of `tokens_per_s`.") @Nullable
            BandResponse tokensPerSBand,

            @Schema(description = "Uncertainty flags, as in the rows of a result.") @Nullable
            List<String> flags) {

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
    @Schema(name = "MeasuredRatio", description = "Measured values divided by predicted ones.")
    public record RatioResponse(
            @Schema(description = "Ratio of `tpot_ms`.") @Nullable
            Double tpotMs,

            @Schema(description = "Ratio of `ttft_ms`.") @Nullable
            Double ttftMs,

            @Schema(description = "Ratio of `tokens_per_s`.") @Nullable
            Double tokensPerS) {}

    /// Comparison of measured figures with the prediction interval.
    @Schema(name = "InBand", description = "Comparison of measured figures with their prediction intervals.")
    public record InBandResponse(
            @Schema(description = "True if `tpot_ms` is within its prediction interval.") @Nullable
            Boolean tpotMs,

            @Schema(description = "True if `ttft_ms` is within its prediction interval.") @Nullable
            Boolean ttftMs,

            @Schema(description = "True if `tokens_per_s` is within its prediction interval.") @Nullable
            Boolean tokensPerS) {}

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
