package io.throughputoptimizer.core.workload;

/// Input lengths of a workload.
public sealed interface Lengths {

    /// Every request has the same input length.
    record Fixed(int inputTokens) implements Lengths {
        public Fixed {
            if (inputTokens <= 0) {
                throw new IllegalArgumentException(
                        "input length is " + inputTokens + ": a positive whole number is needed");
            }
        }
    }

    /// Input lengths follow a distribution.
    record Mixed(LengthDistribution distribution) implements Lengths {}
}
