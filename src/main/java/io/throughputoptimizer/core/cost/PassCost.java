package io.throughputoptimizer.core.cost;

/// What the operators of a pass cost together.
///
/// @param seconds sum of their times: nothing overlaps
public record PassCost(double seconds, BoundBreakdown breakdown) {}
