package io.throughputoptimizer.core.model;

/// Residual connections other than a single stream to which layers add their results.
public sealed interface ResidualConnections permits HyperConnections, BlockResiduals, SandwichNorms {
    /// Returns the parameters of all layers.
    long parameterCount(int hiddenSize, int layers);
}
