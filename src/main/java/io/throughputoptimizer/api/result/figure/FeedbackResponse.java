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
@Schema(name = "FeedbackResult", description = "Calibration of the server from the rows of `feedback`.")
public record FeedbackResponse(
        @Schema(description = "Number of rows in the request.", example = "3")
        int rows,

        @Schema(description = "Number of measured figures used. TPOT and TTFT count separately.", example = "6")
        int figures,

        @Schema(description = "Number of TPOT figures used.", example = "3")
        int tpotFigures,

        @Schema(description = "Number of TTFT figures used.", example = "3")
        int ttftFigures,

        @Schema(description = "Figures rejected as outliers. The other figure of their row still counts.")
        List<RejectedFigureResponse> rejected,

        @Schema(
                description = "Deviation of the rows from the model and from each other, relative to the servers it"
                        + " was fitted on. Widens prediction intervals by its square root. Above 2, the server"
                        + " does not behave like the model.",
                example = "1.0")
        double scale,

        @Schema(description = "Differences from the model. All are 0 if there are none.")
        LearntParametersResponse parameters,

        @Schema(
                description = "Differences from the model in words.",
                example = "each step takes 1.9 ms longer than measured kernels explain; prefill is 12 % faster")
        String learnt,

        @Schema(description = "Warnings about the calibration, one clause each. Absent if there are none.") @Nullable
        List<String> warnings) {

    /// A figure that fits nothing.
    @Schema(name = "RejectedFigure", description = "A measured figure rejected as an outlier.")
    public record RejectedFigureResponse(
            @Schema(description = "Index in `feedback.rows` of the echoed request, from 0.", example = "1")
            int row,

            @Schema(
                    description = "Name of the figure.",
                    allowableValues = {"tpot_ms", "ttft_ms"})
            String metric,

            @Schema(description = "Measured value divided by the predicted one.", example = "12.3")
            double ratio) {}

    /// Parameters that differ from the model.
    @Schema(name = "LearntParameters", description = "Differences from the model. Percentages are of time.")
    public record LearntParametersResponse(
            @Schema(description = "Difference of decode steps, in percent.", example = "-2.1")
            double decodePercent,

            @Schema(description = "Difference of prompts, in percent.", example = "-12.0")
            double prefillPercent,

            @Schema(description = "Additional host time of each step, in ms.", example = "1.9")
            double stepGapMs,

            @Schema(
                    description = "Additional time of a step per running request of a rank, in microseconds.",
                    example = "3.1")
            double perRequestUs,

            @Schema(description = "Difference of collectives, in percent.")
            double collectivesPercent,

            @Schema(description = "Difference of routed experts in decode, in percent.")
            double expertsPercent,

            @Schema(description = "Difference of the front end, in percent.")
            double frontendPercent,

            @Schema(description = "Further difference of TTFT, in percent.")
            double ttftPercent) {
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
    @Schema(name = "LearntFrom", description = "Numbers of measurements used for a row.")
    public record LearntFromResponse(
            @Schema(description = "Number of measured TPOT figures.", example = "5")
            int tpotFigures,

            @Schema(description = "Number of measured TPOT figures in the row's layout.", example = "3")
            int tpotFiguresOfLayout,

            @Schema(description = "Number of measured TTFT figures.", example = "5")
            int ttftFigures,

            @Schema(description = "Number of measured TTFT figures in the row's layout.", example = "3")
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
