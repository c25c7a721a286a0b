package io.throughputoptimizer.core.cost;

/// Components of a [BoundBreakdown] in percent of its sum.
public record BoundShares(double memory, double communication, double matrix, double general) {
    public static final BoundShares ZERO = new BoundShares(0, 0, 0, 0);
}
