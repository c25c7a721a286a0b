package io.throughputoptimizer.core.workload;

/// The requests of one length.
///
/// @param tokens of each, at least 1
/// @param requestRatio share of all requests
public record LengthShare(int tokens, double requestRatio) {}
