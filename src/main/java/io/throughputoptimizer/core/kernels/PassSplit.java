package io.throughputoptimizer.core.kernels;

/// Time split of a pass, in milliseconds, by the parts that differ between servers: communication of ranks and
/// routing of tokens to experts.
///
/// @param millis time of all operators
/// @param collectives time of class [OperatorClass#COMMUNICATION]
/// @param experts time of class [OperatorClass#EXPERTS]
public record PassSplit(double millis, double collectives, double experts) {
    /// Returns the time of operators of neither class.
    public double others() {
        return millis - collectives - experts;
    }

    /// Returns a copy with additional time of other operators.
    public PassSplit plus(double more) {
        return new PassSplit(millis + more, collectives, experts);
    }
}
