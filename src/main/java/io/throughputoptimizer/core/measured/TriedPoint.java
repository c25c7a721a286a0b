package io.throughputoptimizer.core.measured;

/// A concurrency that was tried and fits in memory.
public record TriedPoint(MeasuredPoint at, boolean withinLimits) {}
