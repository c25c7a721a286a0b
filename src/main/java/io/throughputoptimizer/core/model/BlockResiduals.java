package io.throughputoptimizer.core.model;

/// Attention residuals (Kimi-K3): each half of a layer reads a mixture of the sums of earlier blocks of layers,
/// with weights computed from its own vector.
///
/// @param layers layers per block
public record BlockResiduals(int layers) implements ResidualConnections {
    private static final int HALVES_OF_A_LAYER = 2;

    public BlockResiduals {
        ModelArchitecture.requireSize("layers of a block", layers, ModelArchitecture.MAX_LAYERS);
    }

    @Override
    public long parameterCount(int hiddenSize, int layersOfModel) {
        return (long) HALVES_OF_A_LAYER * layersOfModel * hiddenSize;
    }
}
