package io.throughputoptimizer.core.model;

/// Each half of a layer reads a mixture of what blocks of layers before it have added up, by
/// weights that it computes from a vector of its own (attention residuals of Kimi-K3).
///
/// @param layers of a block
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
