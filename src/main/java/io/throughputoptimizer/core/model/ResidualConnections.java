package io.throughputoptimizer.core.model;

/// What layers add their results to, where that is not one residual stream.
public sealed interface ResidualConnections permits HyperConnections, BlockResiduals {
    /// Parameters of all layers.
    long parameterCount(int hiddenSize, int layers);
}
