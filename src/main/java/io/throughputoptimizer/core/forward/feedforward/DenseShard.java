package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.layer.LinearWeight;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.GatedActivation;
import io.throughputoptimizer.core.operator.ProcessGroup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One rank's share of a dense feed-forward part: `ceil(I / tp)` of its inner width, but where the reference finds gate
/// and up joined in one weight: of these each rank has all, and its share of the last product's weight alone.
final class DenseShard {
    private final FeedForwardSpec.Dense spec;
    private final long hiddenSize;
    private final int tp;
    private final boolean whole;
    private final LinearLayers linears;

    DenseShard(Deployment deployment, FeedForwardSpec.Dense spec, LinearLayers linears) {
        this.spec = spec;
        this.hiddenSize = deployment.model().hiddenSize();
        this.tp = deployment.layout().tp();
        this.whole = spec.joined() && deployment.execution().accounting() == PassAccounting.DOCUMENTED;
        this.linears = linears;
    }

    /// Weights of one layer.
    ///
    /// @param joined gate and up as one; absent where each is a weight of its own
    record Weights(
            LinearWeight gate,
            LinearWeight up,
            LinearWeight down,
            @Nullable LinearWeight joined) {
        /// Returns the weights of the products that a compiled graph runs side by side.
        List<LinearWeight> gateAndUp() {
            return joined == null ? List.of(gate, up) : List.of(joined);
        }

        double bytes() {
            return gate.bytes() + up.bytes() + down.bytes();
        }
    }

    long width() {
        return whole ? spec.intermediateSize() : share();
    }

    private long share() {
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
                linears.weight(share(), hiddenSize, new LinearLayers.BlockScaleShape(hiddenSize, downColumns), false),
                spec.joined() ? linears.weight(hiddenSize, 2 * width()) : null);
    }
}
