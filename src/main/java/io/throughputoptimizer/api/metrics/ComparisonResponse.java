package io.throughputoptimizer.api.metrics;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.BestPlanResponse;
import io.throughputoptimizer.api.result.BestPlanResponse.IntervalResponse;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.core.workload.HistogramBins;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A running server and the best plan for the same devices, traffic and limits.
@Schema(
        name = "Comparison",
        description = "A running server and the best plan for the same devices, traffic and limits.")
public record ComparisonResponse(
        @Schema(description = "The result in words.") String sentence,

        @Schema(description = "The running server at its most.")
        ServerResponse running,

        @Schema(description = "The running server today.") NowResponse now,

        @Schema(description = "Limits of both plans.") LimitsResponse limits,

        @Schema(description = "The best plan over all layouts.")
        PlanResponse best,

        @Schema(description = "Gain of the best plan; absent if one of the two is infeasible.") @Nullable
        GainResponse gain,

        @Schema(description = "Devices that today's demand with 20% headroom takes in the best layout.") @Nullable
        DevicesResponse fewerDevices,

        @Schema(description = "Both plans with the measured row as feedback; absent unless the row is usable.")
        @Nullable
        CorrectedResponse corrected,

        @Schema(description = "Things to know before you rely on the comparison.")
        List<String> warnings) {

    /// Returns the comparison as lines of plain text.
    public String text() {
        StringBuilder text = new StringBuilder(sentence).append("\n\n");
        line(text, "Running", running.layout + " on " + running.numDevices + " devices, " + running.engine);
        MeasuredResponse today = now.measured;
        line(
                text,
                "",
                "measured   " + figures(today.ttftMs, today.tpotMs, today.requestsPerS)
                        + (today.concurrency == null ? "" : "   concurrency " + figure(today.concurrency)));
        BestPlanResponse predicted = now.predicted;
        if (predicted != null) {
            IntervalResponse band = predicted.tpotMsBand();
            line(
                    text,
                    "",
                    "predicted  " + figures(predicted.ttftMs(), predicted.tpotMs(), null)
                            + (band == null || band.low() == null || band.high() == null
                                    ? ""
                                    : " (" + figure(band.low()) + " to " + figure(band.high()) + ")")
                            + (now.tpotRatio == null ? "" : "   ratio of TPOT " + figure(now.tpotRatio)));
        }
        String kept = figures(limits.ttftMs, limits.tpotMs, null);
        line(text, "At most", plan(running.most) + (kept.isEmpty() ? "" : " within " + kept));
        line(
                text,
                "Best",
                (best.layout == null ? "" : best.layout + "   ")
                        + plan(best.most)
                        + (gain == null ? "" : "   " + Decimals.fixed(gain.requestsPercent, 0) + "% more"));
        warnings.forEach(warning -> line(text, "Warning", warning));
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String words) {
        text.append(String.format(Locale.ROOT, "%-9s %s%n", name, words).replace("\r", ""));
    }

    private static String plan(@Nullable BestPlanResponse plan) {
        return plan == null || plan.requestsPerS() == null
                ? "none"
                : Decimals.fixed(plan.requestsPerS(), 1) + " requests/s";
    }

    private static String figures(@Nullable Double ttft, @Nullable Double tpot, @Nullable Double rate) {
        return Stream.of(
                        ttft == null ? "" : "TTFT " + figure(ttft) + " ms",
                        tpot == null ? "" : "TPOT " + figure(tpot) + " ms",
                        rate == null ? "" : Decimals.fixed(rate, 2) + " requests/s")
                .filter(words -> !words.isEmpty())
                .collect(Collectors.joining("   "));
    }

    private static String figure(double number) {
        return number >= 100 ? Decimals.fixed(number, 0) : HistogramBins.general(number, 3);
    }

    /// A running server.
    @Schema(name = "ComparedServer", description = "A running server.")
    public record ServerResponse(
            @Schema(description = "Parallel sizes and number of instances.", example = "TP=8 x 1")
            String layout,

            @Schema(description = "Devices of all instances.", example = "8")
            long numDevices,

            @Schema(description = "Engine, version and weight format.", example = "vllm 0.24.0, FP8")
            String engine,

            @Schema(description = "Most that it serves within the limits; absent if it cannot keep them.") @Nullable
            BestPlanResponse most) {}

    /// A running server today.
    @Schema(name = "ServerToday", description = "Measured and predicted figures of a running server.")
    public record NowResponse(
            @Schema(description = "Measured figures.") MeasuredResponse measured,

            @Schema(description = "Prediction at the measured concurrency.") @Nullable
            BestPlanResponse predicted,

            @Schema(description = "Measured by predicted TTFT.", example = "1.1") @Nullable
            Double ttftRatio,

            @Schema(description = "Measured by predicted TPOT.", example = "1.1") @Nullable
            Double tpotRatio,

            @Schema(description = "True if the measured TPOT lies in the prediction interval.") @Nullable
            Boolean inBand) {}

    /// Measured figures.
    @Schema(name = "MeasuredToday", description = "Measured figures of a running server.")
    public record MeasuredResponse(
            @Schema(description = "Mean TTFT, in milliseconds.") @Nullable
            Double ttftMs,

            @Schema(description = "Mean TPOT, in milliseconds.") @Nullable
            Double tpotMs,

            @Schema(description = "Mean requests in flight at all instances.") @Nullable
            Double concurrency,

            @Schema(description = "Arrived requests/s.") @Nullable
            Double requestsPerS,

            @Schema(description = "Share of prompt tokens found in the prefix cache.") @Nullable
            Double hitRate,

            @Schema(description = "Share of the KV cache in use.") @Nullable
            Double cacheUsageRatio) {}

    /// Limits of a comparison.
    @Schema(name = "ComparedLimits", description = "Limits of a comparison.")
    public record LimitsResponse(
            @Schema(description = "Highest mean TTFT, in milliseconds; absent without a limit.") @Nullable
            Double ttftMs,

            @Schema(description = "Highest mean TPOT, in milliseconds; absent without a limit.") @Nullable
            Double tpotMs,

            @Schema(description = "`request`, or `measured` if the request has no limits.", example = "request")
            String from) {}

    /// The best plan.
    @Schema(name = "ComparedPlan", description = "The best plan.")
    public record PlanResponse(
            @Schema(description = "Layout of the plan.", example = "TP=2 x 4") @Nullable
            String layout,

            @Schema(description = "The plan at its most; absent if no layout keeps the limits.") @Nullable
            BestPlanResponse most,

            @Schema(description = "The plan at today's demand; absent without a demand.") @Nullable
            BestPlanResponse atDemand) {}

    /// Gain of the best plan.
    @Schema(name = "ComparedGain", description = "Gain of the best plan over the running layout.")
    public record GainResponse(
            @Schema(description = "Requests/s more, in percent.", example = "46.6")
            double requestsPercent,

            @JsonProperty("requests_percent_band")
            @Schema(description = "Widest range by the prediction intervals of both plans.")
            @Nullable
            IntervalResponse band,

            @Schema(description = "True if the measured TPOT lies outside its prediction interval.")
            boolean uncertain) {}

    /// Devices for today's demand.
    @Schema(name = "ComparedDevices", description = "Devices for today's demand.")
    public record DevicesResponse(
            @Schema(description = "Devices that the demand takes in the best layout.", example = "4")
            long needed,

            @Schema(description = "Devices of the server.", example = "8")
            long running) {}

    /// Both plans with feedback.
    @Schema(name = "CorrectedComparison", description = "Both plans with the measured row as feedback.")
    public record CorrectedResponse(
            @Schema(description = "The running layout at its most.") @Nullable
            BestPlanResponse running,

            @Schema(description = "The best plan at its most.") @Nullable
            BestPlanResponse best,

            @Schema(description = "Requests/s more, in percent.") @Nullable
            Double requestsPercent) {}
}
