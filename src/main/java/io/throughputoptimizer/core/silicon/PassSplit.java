package io.throughputoptimizer.core.silicon;

/// Milliseconds of a pass, and what of them tells servers apart: how their ranks talk to each other, and how tokens
/// choose experts.
///
/// @param millis of all operators
/// @param collectives those of class [OperatorClass#COMMUNICATION]
/// @param experts those of class [OperatorClass#EXPERTS]
public record PassSplit(double millis, double collectives, double experts) {
    /// Of operators of neither class.
    public double others() {
        return millis - collectives - experts;
    }

    /// The same with so much more of others.
    public PassSplit plus(double more) {
        return new PassSplit(millis + more, collectives, experts);
    }
}
