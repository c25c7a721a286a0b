package io.throughputoptimizer.core.cost;

/// Time of one operator and its components, in seconds. Only [#seconds()] includes the static cost.
///
/// @param seconds time of the operator
/// @param memorySeconds time to move its bytes
/// @param communicationSeconds time on the links
/// @param matrixSeconds time on matrix units
/// @param generalSeconds time on general units
public record OperatorCost(
        double seconds,
        double memorySeconds,
        double communicationSeconds,
        double matrixSeconds,
        double generalSeconds) {
    /// Cost of views and other operators without time.
    public static final OperatorCost FREE = new OperatorCost(0, 0, 0, 0, 0);

    /// Dominant component of an operator.
    public enum Bound {
        MEMORY,
        COMMUNICATION,
        COMPUTE
    }

    public OperatorCost {
        if (!(seconds >= 0)) {
            throw new IllegalArgumentException("seconds is " + seconds + ": at least 0 is needed");
        }
    }

    /// Returns the compute time: matrix and general units do not overlap.
    public double computeSeconds() {
        return matrixSeconds + generalSeconds;
    }

    /// Returns the dominant component; on ties memory before communication before compute.
    public Bound bound() {
        if (memorySeconds >= communicationSeconds && memorySeconds >= computeSeconds()) {
            return Bound.MEMORY;
        }
        return communicationSeconds >= computeSeconds() ? Bound.COMMUNICATION : Bound.COMPUTE;
    }

    /// Returns the dominant component only, as it enters the breakdown of a pass.
    public BoundBreakdown dominant() {
        return switch (bound()) {
            case MEMORY -> new BoundBreakdown(memorySeconds, 0, 0, 0);
            case COMMUNICATION -> new BoundBreakdown(0, communicationSeconds, 0, 0);
            case COMPUTE -> new BoundBreakdown(0, 0, matrixSeconds, generalSeconds);
        };
    }
}
