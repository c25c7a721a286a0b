package io.throughputoptimizer.core.cost;

/// Where the time of a pass goes, in seconds: each operator adds its dominant component only, so the sum
/// lies below the latency. Static costs are not included.
///
/// @param memorySeconds of operators bound by memory bandwidth
/// @param communicationSeconds of collectives bound by their links
/// @param matrixSeconds matrix-unit time of operators bound by compute
/// @param generalSeconds general-unit time of the same operators
public record BoundBreakdown(
        double memorySeconds, double communicationSeconds, double matrixSeconds, double generalSeconds) {
    public static final BoundBreakdown ZERO = new BoundBreakdown(0, 0, 0, 0);

    /// The sum of both, part by part.
    public BoundBreakdown plus(BoundBreakdown other) {
        return new BoundBreakdown(
                memorySeconds + other.memorySeconds,
                communicationSeconds + other.communicationSeconds,
                matrixSeconds + other.matrixSeconds,
                generalSeconds + other.generalSeconds);
    }

    /// Every part `factor` times.
    public BoundBreakdown times(double factor) {
        return new BoundBreakdown(
                memorySeconds * factor, communicationSeconds * factor, matrixSeconds * factor, generalSeconds * factor);
    }

    public double totalSeconds() {
        return memorySeconds + communicationSeconds + matrixSeconds + generalSeconds;
    }

    /// Each part in percent of the four's sum; all zero when there is no time at all.
    public BoundShares shares() {
        double total = totalSeconds();
        return total > 0
                ? new BoundShares(
                        memorySeconds / total * 100,
                        communicationSeconds / total * 100,
                        matrixSeconds / total * 100,
                        generalSeconds / total * 100)
                : BoundShares.ZERO;
    }
}
