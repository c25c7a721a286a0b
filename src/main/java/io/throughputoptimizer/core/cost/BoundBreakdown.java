package io.throughputoptimizer.core.cost;

/// Time of a pass by dominant resource, in seconds. Each operator adds only its dominant component, so the sum
/// is below the latency. Static costs are not included.
///
/// @param memorySeconds time of operators bound by memory bandwidth
/// @param communicationSeconds time of collectives bound by their links
/// @param matrixSeconds matrix-unit time of compute-bound operators
/// @param generalSeconds general-unit time of compute-bound operators
public record BoundBreakdown(
        double memorySeconds, double communicationSeconds, double matrixSeconds, double generalSeconds) {
    public static final BoundBreakdown ZERO = new BoundBreakdown(0, 0, 0, 0);

    /// Returns the sum of both, by component.
    public BoundBreakdown plus(BoundBreakdown other) {
        return new BoundBreakdown(
                memorySeconds + other.memorySeconds,
                communicationSeconds + other.communicationSeconds,
                matrixSeconds + other.matrixSeconds,
                generalSeconds + other.generalSeconds);
    }

    /// Returns all components multiplied by `factor`.
    public BoundBreakdown times(double factor) {
        return new BoundBreakdown(
                memorySeconds * factor, communicationSeconds * factor, matrixSeconds * factor, generalSeconds * factor);
    }

    public double totalSeconds() {
        return memorySeconds + communicationSeconds + matrixSeconds + generalSeconds;
    }

    /// Returns each component in percent of the total; all 0 if the total is 0.
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
