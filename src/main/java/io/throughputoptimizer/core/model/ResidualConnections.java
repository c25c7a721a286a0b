package io.throughputoptimizer.core.model;

/// What layers add their results to, where that is not one residual stream that takes them as they are.
public sealed interface ResidualConnections permits HyperConnections, BlockResiduals, SandwichNorms {
    /// Parameters of all layers.
    long parameterCount(int hiddenSize, int layers);
}
