package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.cost.BoundBreakdown;

/// Latency and memory of one forward pass on its slowest rank.
///
/// @param latencyMillis sum of all operator times, in ms: the serving formulas are stated in ms, and equal the
///     reference to the last bit only when evaluated in that unit
/// @param breakdown breakdown of the latency
/// @param memory memory of the pass
public record ForwardEstimate(double latencyMillis, BoundBreakdown breakdown, MemoryFootprint memory) {}
