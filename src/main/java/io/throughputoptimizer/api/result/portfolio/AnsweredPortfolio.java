package io.throughputoptimizer.api.result.portfolio;

import com.fasterxml.jackson.annotation.JsonValue;
import io.throughputoptimizer.api.portfolio.PortfolioReader.AskedService;
import io.throughputoptimizer.api.portfolio.PortfolioRequest;
import io.throughputoptimizer.core.capacity.CapacityResult.InstanceRejection;
import io.throughputoptimizer.core.portfolio.PortfolioPlan;
import java.time.Duration;
import java.util.List;

/// A plan and what was asked.
///
/// @param request request, repeated in reports; not sent
public record AnsweredPortfolio(
        PortfolioRequest request, @JsonValue PortfolioResponse answer) {
    public static AnsweredPortfolio of(PlannedPortfolio planned) {
        return new AnsweredPortfolio(planned.request(), PortfolioResponses.from(planned));
    }

    /// A plan of a portfolio, and what was asked.
    ///
    /// @param services services in the order of the plan
    /// @param searched duration of the search of instances
    /// @param solved duration of the solver
    public record PlannedPortfolio(
            PortfolioRequest request,
            List<PlannedService> services,
            PortfolioPlan plan,
            Duration searched,
            Duration solved) {

        /// A service.
        ///
        /// @param rejections sizes that have no instance
        public record PlannedService(AskedService asked, List<InstanceRejection> rejections) {}
    }
}
