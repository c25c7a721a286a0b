package io.throughputoptimizer.core.portfolio;

import io.throughputoptimizer.core.portfolio.PortfolioPlan.Proven;
import io.throughputoptimizer.core.portfolio.PortfolioPlanner.Moment;

/// What the stock holds in a moment.
///
/// @param servesAll whether all needs are served
/// @param keepsReplicas whether the replicas that must run do
/// @param cost of an hour
/// @param served what is served in all hours of the moment, by weight
record Held(Moment moment, Counts counts, boolean servesAll, boolean keepsReplicas, Proven cost, Proven served) {}
