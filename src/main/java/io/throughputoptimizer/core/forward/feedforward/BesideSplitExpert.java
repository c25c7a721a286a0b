package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;

/// Routed experts in a compiled graph beside a network that every token visits, of which each tensor parallel rank has
/// a part: as in a dense layer, all tokens of the rank go through it, and partial sums are added over the group.
///
/// @param routed the experts alone
/// @param shared this rank's part of the network
/// @param pass recorder of operators
record BesideSplitExpert(RoutedExperts routed, CompiledDenseFeedForward shared, LinearLayers linears, PassRecorder pass)
        implements FeedForwardBlock {
    @Override
    public Tensor record(Activation input, LayerScales scales) {
        Activation tokens = linears.quantize(input.values(), scales);
        Tensor combined = routed.record(input, scales);
        Tensor own = shared.record(tokens, scales);
        return pass.elementwise(Kind.ADD, combined.sameShape(), combined, own);
    }

    @Override
    public boolean takesQuantized() {
        return routed.takesQuantized();
    }

    /// One measured pass has 14,336 bytes less.
    @Override
    public boolean isMemoryProved() {
        return false;
    }

    @Override
    public double weightBytes() {
        return routed.weightBytes();
    }
}
