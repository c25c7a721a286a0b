package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.feedback.CalibrationPosterior;
import io.throughputoptimizer.core.feedback.Metric;
import io.throughputoptimizer.core.feedback.Parameter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Calibration of a server by benchmark rows.
@Schema(name = "FeedbackResult", description = "What the rows of `feedback` taught about the server.")
public record FeedbackResponse(
        @Schema(description = "Rows that were given.", example = "3")
        int rows,

        @Schema(description = "Figures of theirs that count, TPOT and TTFT each one.", example = "6")
        int figures,

        @Schema(description = "Of these, TPOT.", example = "3")
        int tpotFigures,

        @Schema(description = "Of these, TTFT.", example = "3")
        int ttftFigures,

        @Schema(description = "Figures that fit nothing and are left out; the other figure of their row counts.")
        List<RejectedFigureResponse> rejected,

        @Schema(
                description =
                        "How far the rows are from the model and from each other, against servers that it was"
                                + " fitted on; bands are wider by its square root. Above 2 the server does not behave like the model.",
                example = "1.0")
        double scale,

        @Schema(description = "What differs from the model. All are 0 where nothing does.")
        LearntParametersResponse parameters,

        @Schema(
                description = "The same in words.",
                example = "each step takes 1.9 ms longer than measured kernels explain; prefill is 12 % faster")
        String learnt,

        @Schema(description = "What to know before relying on it, in words; absent when there is nothing.") @Nullable
        List<String> warnings) {

    /// A figure that fits nothing.
    @Schema(name = "RejectedFigure", description = "A measured figure that fits nothing.")
    public record RejectedFigureResponse(
            @Schema(description = "Index in `feedback.rows` of the request in the answer, from 0.", example = "1")
            int row,

            @Schema(
                    description = "Which figure.",
                    allowableValues = {"tpot_ms", "ttft_ms"})
            String metric,

            @Schema(description = "Measured over predicted.", example = "12.3")
            double ratio) {}

    /// Parameters that differ from the model.
    @Schema(name = "LearntParameters", description = "What differs from the model; percents are of time.")
    public record LearntParametersResponse(
            @Schema(description = "Decode steps.", example = "-2.1")
            double decodePercent,

            @Schema(description = "Prompts.", example = "-12.0")
            double prefillPercent,

            @Schema(description = "Time of the host that each step takes besides, in ms.", example = "1.9")
            double stepGapMs,

            @Schema(
                    description = "Time that each request which runs on a rank adds to a step, in microseconds.",
                    example = "3.1")
            double perRequestUs,

            @Schema(description = "Collectives.") double collectivesPercent,

            @Schema(description = "Routed experts in decode.")
            double expertsPercent,

            @Schema(description = "The front end.") double frontendPercent,
            @Schema(description = "TTFT, besides.") double ttftPercent) {
        private static LearntParametersResponse from(CalibrationPosterior learnt) {
            return new LearntParametersResponse(
                    percent(learnt, Parameter.DECODE),
                    percent(learnt, Parameter.PREFILL),
                    learnt.parameter(Parameter.STEP_GAP),
                    learnt.parameter(Parameter.PER_REQUEST),
                    percent(learnt, Parameter.COLLECTIVES),
                    percent(learnt, Parameter.EXPERTS),
                    percent(learnt, Parameter.FRONTEND),
                    percent(learnt, Parameter.TTFT));
        }

        private static double percent(CalibrationPosterior learnt, Parameter parameter) {
            return FeedbackMessages.percent(learnt.parameter(parameter));
        }
    }

    /// Measured figures behind the figures of a row.
    @Schema(name = "LearntFrom", description = "How many measured figures stand behind those of a row.")
    public record LearntFromResponse(
            @Schema(description = "Measured TPOT.", example = "5")
            int tpotFigures,

            @Schema(description = "Of these, in the layout of the row.", example = "3")
            int tpotFiguresOfLayout,

            @Schema(description = "Measured TTFT.", example = "5")
            int ttftFigures,

            @Schema(description = "Of these, in the layout of the row.", example = "3")
            int ttftFiguresOfLayout) {

        public static LearntFromResponse of(CalibrationPosterior learnt, ParallelLayout layout) {
            return new LearntFromResponse(
                    learnt.figures(Metric.TPOT),
                    learnt.figures(Metric.TPOT, layout),
                    learnt.figures(Metric.TTFT),
                    learnt.figures(Metric.TTFT, layout));
        }
    }

    /// Absent where nothing was measured.
    public static @Nullable FeedbackResponse of(@Nullable CalibrationPosterior learnt) {
        if (learnt == null) {
            return null;
        }
        List<String> warnings = FeedbackMessages.warnings(learnt);
        return new FeedbackResponse(
                learnt.rows(),
                learnt.figures(),
                learnt.figures(Metric.TPOT),
                learnt.figures(Metric.TTFT),
                learnt.rejected().stream()
                        .map(one -> new RejectedFigureResponse(one.row(), member(one.metric()), one.ratio()))
                        .toList(),
                learnt.scale(),
                LearntParametersResponse.from(learnt),
                FeedbackMessages.learnt(learnt),
                warnings.isEmpty() ? null : warnings);
    }

    /// Name of the member of a row that a metric is.
    static String member(Metric metric) {
        return metric.name().toLowerCase(Locale.ROOT) + "_ms";
    }
}
