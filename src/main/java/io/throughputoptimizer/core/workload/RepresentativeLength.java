package io.throughputoptimizer.core.workload;

/// Requests of one length bin, represented by its midpoint.
///
/// @param inputTokens midpoint of the bin
/// @param queryLength tokens not found in the prefix cache, at least 1
/// @param requestRatio share of all requests; the ratios of a mix add up to 1
public record RepresentativeLength(int inputTokens, int queryLength, double requestRatio) {}
