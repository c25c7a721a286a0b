package io.throughputoptimizer.api.result.portfolio;

import io.throughputoptimizer.api.portfolio.PortfolioReader.AskedService;
import io.throughputoptimizer.api.portfolio.PortfolioRequest;
import io.throughputoptimizer.core.capacity.InstanceRejection;
import io.throughputoptimizer.core.portfolio.PortfolioPlan;
import java.time.Duration;
import java.util.List;

/// A plan of a portfolio, and what was asked.
///
/// @param services in the order of the plan
/// @param searched how long the search of instances took
/// @param solved how long the solver took
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
