package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.layer.LinearWeight;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.GatedActivation;
import io.throughputoptimizer.core.operator.ProcessGroup;

/// One rank's share of a dense feed-forward part: `ceil(I / tp)` of its inner width.
final class DenseShard {
    private final FeedForwardSpec.Dense spec;
    private final long hiddenSize;
    private final int tp;
    private final LinearLayers linears;

    DenseShard(Deployment deployment, FeedForwardSpec.Dense spec, LinearLayers linears) {
        this.spec = spec;
        this.hiddenSize = deployment.model().hiddenSize();
        this.tp = deployment.layout().tp();
        this.linears = linears;
    }

    /// Weights of one layer.
    record Weights(LinearWeight gate, LinearWeight up, LinearWeight down) {
        double bytes() {
            return gate.bytes() + up.bytes() + down.bytes();
        }
    }

    long width() {
        return Math.ceilDiv(spec.intermediateSize(), tp);
    }

    GatedActivation activation() {
        return spec.activation();
    }

    ProcessGroup tensorParallelGroup() {
        return ProcessGroup.contiguous(tp);
    }

    Weights weights() {
        var innerScales = new LinearLayers.BlockScaleShape(width(), linears.blocks(hiddenSize));
        long downColumns = Math.ceilDiv(linears.blocks(spec.intermediateSize()), tp);
        return new Weights(
                linears.weight(hiddenSize, width(), innerScales, false),
                linears.weight(hiddenSize, width(), innerScales, false),
                linears.weight(width(), hiddenSize, new LinearLayers.BlockScaleShape(hiddenSize, downColumns), false));
    }
}
