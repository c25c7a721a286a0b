package io.throughputoptimizer.api.result.portfolio;

import io.throughputoptimizer.api.portfolio.PortfolioReader.AskedService;
import io.throughputoptimizer.api.portfolio.PortfolioRequest;
import io.throughputoptimizer.core.capacity.CapacityResult.InstanceRejection;
import io.throughputoptimizer.core.portfolio.PortfolioPlan;
import java.time.Duration;
import java.util.List;

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
