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
@Schema(name = "FeedbackResult")
public record FeedbackResponse(
        int rows,
        int figures,
        int tpotFigures,
        int ttftFigures,
        List<RejectedFigureResponse> rejected,
        double scale,
        LearntParametersResponse parameters,
        String learnt,
        @Nullable List<String> warnings) {

    /// A figure that fits nothing.
    @Schema(name = "RejectedFigure")
    public record RejectedFigureResponse(
            int row,

            @Schema(allowableValues = {"tpot_ms", "ttft_ms"})
            String metric,

            double ratio) {}

    /// Parameters that differ from the model.
    @Schema(name = "LearntParameters")
    public record LearntParametersResponse(
            double decodePercent,
            double prefillPercent,
            double stepGapMs,
            double perRequestUs,
            double collectivesPercent,
            double expertsPercent,
            double frontendPercent,
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
    @Schema(name = "LearntFrom")
    public record LearntFromResponse(
            int tpotFigures, int tpotFiguresOfLayout, int ttftFigures, int ttftFiguresOfLayout) {

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
