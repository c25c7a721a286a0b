package io.throughputoptimizer.api.result.catalog;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.request.SearchRequest.Strategy;

/// A way to search batch sizes, as requests name it.
@Schema(name = "StrategyFacts", description = "A way to search batch sizes.")
public record StrategyResponse(
        @Schema(description = "Value of `search.strategy`.", example = "exponential")
        Strategy name) {}
