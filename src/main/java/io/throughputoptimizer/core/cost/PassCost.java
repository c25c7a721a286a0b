package io.throughputoptimizer.core.cost;

/// Total cost of the operators of a pass.
///
/// @param seconds sum of their times, without overlap
public record PassCost(double seconds, BoundBreakdown breakdown) {}
