package io.throughputoptimizer.api.result.portfolio;

import com.fasterxml.jackson.annotation.JsonValue;
import io.throughputoptimizer.api.portfolio.PortfolioRequest;

/// A plan and what was asked.
///
/// @param request request, repeated in reports; not sent
public record AnsweredPortfolio(
        PortfolioRequest request, @JsonValue PortfolioResponse answer) {
    public static AnsweredPortfolio of(PlannedPortfolio planned) {
        return new AnsweredPortfolio(planned.request(), PortfolioResponses.from(planned));
    }
}
