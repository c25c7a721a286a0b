package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.request.SearchRequest.Strategy;

/// A way to search batch sizes, as requests name it, and how far it goes.
@Schema(
        name = "StrategyFacts",
        description = "A way to search batch sizes, and how far it goes without a `batch_range`.")
public record StrategyResponse(
        @Schema(description = "Value of `search.strategy`.", example = "exponential")
        Strategy name,

        @Schema(description = "Largest batch size that it tries.", example = "524288")
        long largestBatchSize,

        @Schema(
                description =
                        "Whether it surely tries the batch size after the largest one within the limits, so that one"
                                + " that is no point of the result did not fit in memory.",
                example = "true")
        boolean triesNextBatchSize) {

    public static StrategyResponse of(Strategy name) {
        return new StrategyResponse(
                name, name.strategy().largestBatchSize(), name.strategy().triesNextBatchSize());
    }
}
