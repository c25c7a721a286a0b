package io.throughputoptimizer.core.workload;

/// The requests of one length bin, all taken to be as long as its midpoint.
///
/// @param inputTokens midpoint of the bin
/// @param queryLength those not found in the prefix cache, at least 1
/// @param requestRatio share of all requests, the ratios of a mix adding up to 1
public record RepresentativeLength(int inputTokens, int queryLength, double requestRatio) {}
