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
@Schema(name = "Comparison")
public record ComparisonResponse(
        String sentence,
        ServerResponse running,
        NowResponse now,
        LimitsResponse limits,
        PlanResponse best,
        @Nullable GainResponse gain,
        @Nullable DevicesResponse fewerDevices,
        @Nullable CorrectedResponse corrected,
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
    @Schema(name = "ComparedServer")
    public record ServerResponse(
            String layout,
            long numDevices,
            String engine,
            @Nullable BestPlanResponse most) {}

    /// A running server today.
    @Schema(name = "ServerToday")
    public record NowResponse(
            MeasuredResponse measured,
            @Nullable BestPlanResponse predicted,
            @Nullable Double ttftRatio,
            @Nullable Double tpotRatio,
            @Nullable Boolean inBand) {}

    /// Measured figures.
    @Schema(name = "MeasuredToday")
    public record MeasuredResponse(
            @Nullable Double ttftMs,
            @Nullable Double tpotMs,
            @Nullable Double concurrency,
            @Nullable Double requestsPerS,
            @Nullable Double hitRate,
            @Nullable Double cacheUsageRatio) {}

    /// Limits of a comparison.
    @Schema(name = "ComparedLimits")
    public record LimitsResponse(
            @Nullable Double ttftMs, @Nullable Double tpotMs, String from) {}

    /// The best plan.
    @Schema(name = "ComparedPlan")
    public record PlanResponse(
            @Nullable String layout,
            @Nullable BestPlanResponse most,
            @Nullable BestPlanResponse atDemand) {}

    /// Gain of the best plan.
    @Schema(name = "ComparedGain")
    public record GainResponse(
            double requestsPercent,
            @JsonProperty("requests_percent_band") @Nullable IntervalResponse band,
            boolean uncertain) {}

    /// Devices for today's demand.
    @Schema(name = "ComparedDevices")
    public record DevicesResponse(long needed, long running) {}

    /// Both plans with feedback.
    @Schema(name = "CorrectedComparison")
    public record CorrectedResponse(
            @Nullable BestPlanResponse running,
            @Nullable BestPlanResponse best,
            @Nullable Double requestsPercent) {}
}
