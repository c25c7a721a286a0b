package io.throughputoptimizer.api.result;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.CostModelName;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.request.MeasuredRowRequest;
import io.throughputoptimizer.api.request.MeasurementReader.Compared;
import io.throughputoptimizer.api.request.MeasurementReader.Prediction;
import io.throughputoptimizer.api.request.MeasurementReader.Row;
import io.throughputoptimizer.api.request.QuantizationRequest;
import io.throughputoptimizer.core.measured.MeasuredPoint;
import io.throughputoptimizer.core.search.ResultRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Measurements of one server beside what was predicted when they were taken, as they are sent and stored.
@Schema(
        name = "Measurements",
        description = "Measurements of one server beside what was predicted when they were taken.")
public record MeasurementResponse(
        @Schema(description = "What plans name them by.", example = "0192f0c1-8f3a-7000-8000-000000000000")
        String id,

        @Schema(description = "When they were taken.") Instant createdAt,

        @Schema(
                description = "What printed them: a tool, or `rows` where they came as such.",
                example = "vllm bench serve")
        String source,

        @Schema(description = "What the server is: measurements of another teach nothing about it.")
        GroupResponse group,

        @Schema(description = "The inline configuration of the model; not in lists.", types = "object") @Nullable
        Map<String, @Nullable Object> modelConfig,

        @Schema(description = "How the checkpoint is quantized.")
        QuantizationRequest quantization,

        @Schema(description = "The engine, with all values that were left to the backend.")
        EngineRequest engine,

        @Schema(description = "What predicted.") CostModelName costModel,

        @Schema(description = "Whether a plan can learn from them.")
        boolean learntFrom,

        @Schema(description = "Why no plan learns from them; absent where plans do.") @Nullable
        String notLearntFrom,

        @Schema(description = "Rows of the set.", example = "3")
        int numberOfRows,

        @Schema(description = "How far predictions are off: medians over the rows that have the figure.")
        ErrorsResponse errors,

        @Schema(description = "The rows; not in lists.") @Nullable
        List<ComparedRowResponse> rows) {

    /// Figures that are further off are a mistake, not a server: `|ln(measured / predicted)|`.
    private static final double MOST_OFF = 1.5;

    private static final int OF_A_ROW = 1_500;

    /// What measurements of one server have in common.
    @Schema(name = "MeasuredServer", description = "What measurements of one server have in common.")
    public record GroupResponse(
            @Schema(description = "The model.", example = "Qwen/Qwen3-32B")
            String model,

            @Schema(description = "Scheme, or quantization of the linear layers.", example = "FP8")
            String quantization,

            @Schema(description = "Element type of the KV cache.", example = "fp8")
            String kvCache,

            @Schema(description = "The device.", example = "H100_SXM")
            String device,

            @Schema(description = "The engine.", example = "vllm")
            String engine,

            @Schema(description = "Its version.", example = "0.11.0")
            String version) {}

    /// Median of `|predicted / measured - 1|` in percent.
    @Schema(name = "MeasuredErrors", description = "Median of `|predicted / measured - 1|` in percent.")
    public record ErrorsResponse(
            @Schema(description = "Of TPOT.") @Nullable Double tpotPercent,
            @Schema(description = "Of TTFT.") @Nullable Double ttftPercent,

            @JsonProperty("tokens_per_s_percent") @Schema(description = "Of tokens per second.") @Nullable
            Double tokensPerSPercent) {}

    /// One row, measured and predicted.
    @Schema(name = "ComparedRow", description = "One row, measured and predicted.")
    public record ComparedRowResponse(
            @Schema(description = "How the devices of an instance are split.")
            LayoutResponse parallel,

            @Schema(description = "Requests outstanding at the instance.")
            int concurrency,

            @Schema(description = "Requests a second, where the concurrency follows from it.") @Nullable
            Double requestRate,

            @Schema(description = "Input tokens, the longest.")
            int inputLength,

            @Schema(description = "Output tokens, the longest.")
            int outputLength,

            @Schema(description = "Shortest lengths as a share of the longest.")
            double lengthRatio,

            @Schema(description = "Requests per outstanding one.")
            double waves,

            @Schema(description = "Measured.") @Nullable Double tpotMs,
            @Schema(description = "Measured.") @Nullable Double ttftMs,
            @Schema(description = "Measured.") @Nullable Double tokensPerS,

            @Schema(description = "By the model alone; absent where it says that the row could not run.") @Nullable
            PredictedResponse predicted,

            @Schema(description = "Measured over predicted, of figures that have both.")
            RatioResponse ratio,

            @Schema(description = "Whether measured figures lie in the band; of figures without a band absent.")
            InBandResponse inBand,

            @Schema(description = "What to know about the row; absent where there is nothing.") @Nullable
            List<String> notes) {}

    /// How the devices of an instance are split.
    @Schema(name = "ComparedLayout", description = "How the devices of an instance are split.")
    public record LayoutResponse(
            @Schema(description = "Tensor parallel size.") int tp,

            @Schema(description = "Attention data parallel size.")
            int dp,

            @Schema(description = "Expert parallel size.") int ep) {}

    /// What was predicted.
    @Schema(name = "PredictedRow", description = "What was predicted; bands with cost model `calibrated`.")
    public record PredictedResponse(
            @Schema(description = "Mean time of an output token after the first.") @Nullable
            Double tpotMs,

            @Schema(description = "Mean time to the first token.") @Nullable
            Double ttftMs,

            @Schema(description = "Output tokens a second of the instance.")
            Double tokensPerS,

            @Schema(description = "Of `tpot_ms`.") @Nullable BandResponse tpotMsBand,
            @Schema(description = "Of `ttft_ms`.") @Nullable BandResponse ttftMsBand,

            @JsonProperty("tokens_per_s_band") @Schema(description = "Of `tokens_per_s`.") @Nullable
            BandResponse tokensPerSBand,

            @Schema(description = "Why the figures are less certain than others; see bands of plans.") @Nullable
            List<String> flags) {

        private static PredictedResponse of(Prediction prediction) {
            return switch (prediction) {
                case Prediction.Calibrated(MeasuredPoint at) -> {
                    FigureBandsResponse bands = FigureBandsResponse.ofPoint(at);
                    yield new PredictedResponse(
                            at.tpotMillis().value(),
                            at.ttftMillis().value(),
                            at.tokensPerSecond().value(),
                            bands.tpotMsBand(),
                            bands.ttftMsBand(),
                            bands.tokensPerSBand(),
                            bands.flags());
                }
                case Prediction.Analytic(ResultRow.Figures figures) ->
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
    @Schema(name = "MeasuredRatio", description = "Measured over predicted.")
    public record RatioResponse(
            @Schema(description = "Of `tpot_ms`.") @Nullable Double tpotMs,
            @Schema(description = "Of `ttft_ms`.") @Nullable Double ttftMs,

            @Schema(description = "Of `tokens_per_s`.") @Nullable
            Double tokensPerS) {}

    /// Whether measured figures lie in the band.
    @Schema(name = "InBand", description = "Whether measured figures lie in the band.")
    public record InBandResponse(
            @Schema(description = "Of `tpot_ms`.") @Nullable Boolean tpotMs,
            @Schema(description = "Of `ttft_ms`.") @Nullable Boolean ttftMs,

            @Schema(description = "Of `tokens_per_s`.") @Nullable
            Boolean tokensPerS) {}

    /// @param source what printed the rows
    public static MeasurementResponse of(String id, Instant createdAt, String source, Compared compared) {
        List<ComparedRowResponse> rows =
                compared.rows().stream().map(MeasurementResponse::row).toList();
        String device = requireNonNull(compared.request().device());
        return new MeasurementResponse(
                id,
                createdAt,
                source,
                new GroupResponse(
                        compared.request().modelName(),
                        compared.quantization().words(device),
                        compared.kvCache(),
                        device,
                        compared.engine().backend(device),
                        requireNonNull(compared.engine().version())),
                compared.request().modelConfig(),
                compared.quantization(),
                compared.engine(),
                compared.costModel(),
                compared.notLearntFrom() == null,
                compared.notLearntFrom(),
                rows.size(),
                new ErrorsResponse(
                        error(rows, RatioResponse::tpotMs),
                        error(rows, RatioResponse::ttftMs),
                        error(rows, RatioResponse::tokensPerS)),
                rows);
    }

    /// About as many characters as are sent of it.
    public long length() {
        long ofRows = rows == null ? 0 : (long) rows.size() * OF_A_ROW;
        return OF_A_ROW + ofRows + (modelConfig == null ? 0 : WireFormat.write(modelConfig).length());
    }

    /// As it stands in a list.
    public MeasurementResponse brief() {
        return new MeasurementResponse(
                id,
                createdAt,
                source,
                group,
                null,
                quantization,
                engine,
                costModel,
                learntFrom,
                notLearntFrom,
                numberOfRows,
                errors,
                null);
    }

    private static ComparedRowResponse row(Row row) {
        MeasuredRowRequest measured = row.measured();
        MeasuredRowRequest.LayoutRequest layout = requireNonNull(measured.parallel());
        PredictedResponse predicted = row.prediction() == null ? null : PredictedResponse.of(row.prediction());
        RatioResponse ratio = predicted == null
                ? new RatioResponse(null, null, null)
                : new RatioResponse(
                        ratio(measured.tpotMs(), predicted.tpotMs),
                        ratio(measured.ttftMs(), predicted.ttftMs),
                        ratio(measured.tokensPerS(), predicted.tokensPerS));
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
                measured.lengthRatio(),
                measured.waves(),
                measured.tpotMs(),
                measured.ttftMs(),
                measured.tokensPerS(),
                predicted,
                ratio,
                inBand,
                notes.isEmpty() ? null : List.copyOf(notes));
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
        return measured == null || band == null
                ? null
                : (Boolean) ((band.low() == null || measured >= band.low())
                        && (band.high() == null || measured <= band.high()));
    }

    private static @Nullable Double error(
            List<ComparedRowResponse> rows, Function<RatioResponse, @Nullable Double> figure) {
        double[] errors = rows.stream()
                .map(row -> figure.apply(row.ratio))
                .filter(Objects::nonNull)
                .mapToDouble(ratio -> 100 * Math.abs(1 / ratio - 1))
                .sorted()
                .toArray();
        if (errors.length == 0) {
            return null;
        }
        int middle = errors.length / 2;
        return errors.length % 2 == 1
                ? errors[middle]
                : Arrays.stream(errors, middle - 1, middle + 1).average().orElseThrow();
    }
}
