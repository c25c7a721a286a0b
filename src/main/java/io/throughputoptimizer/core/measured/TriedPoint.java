package io.throughputoptimizer.core.measured;

/// A concurrency that was tried and fits in memory.
public record TriedPoint<P extends ServedPoint>(P at, boolean withinLimits) {}
