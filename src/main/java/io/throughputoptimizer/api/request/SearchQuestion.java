package io.throughputoptimizer.api.request;

import io.throughputoptimizer.core.fleet.FleetProblem;
import io.throughputoptimizer.core.search.OptimizationProblem;

/// What a request asks to be searched, by cost model.
public sealed interface SearchQuestion {

    /// Upper bound of the points that the search evaluates.
    long mostPoints();

    /// By the roofline.
    record Analytic(OptimizationProblem problem) implements SearchQuestion {
        @Override
        public long mostPoints() {
            return problem.mostPoints();
        }
    }

    /// By measured kernels.
    record Calibrated(FleetProblem problem) implements SearchQuestion {
        @Override
        public long mostPoints() {
            return problem.mostPoints();
        }
    }
}
