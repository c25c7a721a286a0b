package io.throughputoptimizer.api.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.explain.Explanation.PhaseFrontier;
import io.throughputoptimizer.core.explain.FleetExplanation.FrontierPoint;
import io.throughputoptimizer.core.fleet.FleetPoint;
import io.throughputoptimizer.core.fleet.FleetProblem;
import io.throughputoptimizer.core.search.Goal;
import io.throughputoptimizer.core.search.SearchPoint;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// What can be had at all in a phase, as it goes over the wire.
@Schema(
        name = "Frontier",
        description =
                "The points of a phase that no other one beats in tokens per second, TTFT and TPOT together, over all"
                        + " candidates and batch sizes, whether or not they keep the limits.")
public record FrontierResponse(
        @Schema(
                description = "The phase.",
                allowableValues = {"aggregation", "prefill", "decode"})
        PhaseName phase,

        @Schema(description = "By falling tokens per second.")
        List<FrontierPointResponse> points) {
    private static final double MILLIS = 1000;

    /// A point that no other one beats.
    @Schema(name = "FrontierPoint", description = "A configuration that no other one beats.")
    public record FrontierPointResponse(
            @Schema(description = "How the devices are split.")
            ParallelResponse parallel,

            @Schema(description = "Requests per data parallel rank.")
            long batchSize,

            @Schema(description = "Requests of the whole instance.")
            long concurrency,

            @Schema(description = "Time to first token in ms; absent in decode.") @Nullable
            Double ttftMs,

            @Schema(description = "Time per output token in ms; absent in prefill.") @Nullable
            Double tpotMs,

            @Schema(description = "Tokens per second: input tokens in prefill, output tokens else.")
            double tokensPerS,

            @JsonProperty("tokens_per_s_per_device") @Schema(description = "`tokens_per_s` divided by the devices.")
            double tokensPerSPerDevice,

            @JsonProperty("tokens_per_s_per_user")
            @Schema(description = "Tokens a second that one user sees, 1000 / `tpot_ms`; absent in prefill.")
            @Nullable
            Double tokensPerSPerUser,

            @Schema(description = "With objective `cost_per_million_tokens`: that of the point.") @Nullable
            Double costPerMillionTokens,

            @Schema(description = "Whether it keeps every limit.")
            boolean withinSlo,

            @JsonUnwrapped @Nullable FigureBandsResponse bands) {
        public FrontierPointResponse {
            bands = FigureBandsResponse.orAbsent(bands);
        }

        private static FrontierPointResponse from(SearchPoint point, @Nullable Goal goal) {
            Double tpot = point.tpotMillis();
            return new FrontierPointResponse(
                    ParallelResponse.from(point.candidate()),
                    point.batchSize(),
                    point.concurrency(),
                    point.ttftMillis(),
                    tpot,
                    point.tokensPerSecond(),
                    point.tokensPerSecond() / point.candidate().layout().deviceCount(),
                    tpot == null || tpot == 0 ? null : MILLIS / tpot,
                    goal != null && goal.isCost() ? cost(goal.value(point)) : null,
                    point.withinObjective(),
                    null);
        }

        static FrontierPointResponse from(FrontierPoint point, FleetProblem problem, String device) {
            FleetPoint at = point.at();
            Goal goal = problem.demand().goal();
            return new FrontierPointResponse(
                    ParallelResponse.from(at.deployment().layout()),
                    at.rankConcurrency(),
                    (long) at.rankConcurrency() * at.ranks(),
                    at.ttftMillis().value(),
                    at.tpotMillis().value(),
                    at.tokensPerSecond().value(),
                    at.tokensPerSecondPerDevice().value(),
                    MILLIS / at.tpotMillis().value(),
                    goal != null && goal.isCost() ? cost(goal.value(at.delivered(device))) : null,
                    point.withinLimits(),
                    FigureBandsResponse.ofPoint(at));
        }

        private static @Nullable Double cost(OptionalDouble cost) {
            return cost.isPresent() ? cost.getAsDouble() : null;
        }
    }

    static FrontierResponse from(PhaseFrontier frontier) {
        return new FrontierResponse(
                PhaseName.of(frontier.phase()),
                frontier.points().stream()
                        .map(point -> FrontierPointResponse.from(point, frontier.goal()))
                        .toList());
    }
}
