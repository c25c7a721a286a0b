package io.throughputoptimizer.core.calibrated;

/// A concurrency that was tried and fits in memory.
public record TriedPoint(CalibratedPoint at, boolean withinLimits) {}
