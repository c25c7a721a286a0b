package io.throughputoptimizer.core.portfolio;

import io.throughputoptimizer.core.portfolio.PortfolioPlan.Proven;
import io.throughputoptimizer.core.portfolio.PortfolioPlanner.Moment;

/// Units that the stock holds in a moment.
///
/// @param servesAll whether all needs are served
/// @param keepsReplicas whether the required replicas run
/// @param cost cost of one hour
/// @param served weighted value served in all hours of the moment
record Held(Moment moment, Counts counts, boolean servesAll, boolean keepsReplicas, Proven cost, Proven served) {}
