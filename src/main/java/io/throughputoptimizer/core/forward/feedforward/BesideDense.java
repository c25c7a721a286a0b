package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.LayerNorms;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;

/// Routed experts beside the dense part of a layer (Gemma 4): `norm(dense(norm(x))) + norm(experts(norm(x)))` of the
/// residual stream `x`. Partial sums of the dense part are added over the tensor parallel group, before its norm.
///
/// @param routed the experts, whose gate normalizes what they take
/// @param pass recorder of operators
record BesideDense(RoutedExperts routed, FeedForwardBlock dense, LayerNorms norms, PassRecorder pass)
        implements FeedForwardBlock {
    /// @param input the residual stream
    @Override
    public Tensor record(Activation input, LayerScales scales) {
        Tensor normed = norms.norm(input.values());
        Activation tokens =
                norms.areCompiled() ? norms.linears().quantize(normed, scales) : new Activation(normed, null);
        Tensor own = norms.norm(dense.record(tokens, scales));
        Tensor combined = norms.norm(routed.record(input, scales));
        return pass.elementwise(Kind.ADD, own.sameShape(), own, combined);
    }

    @Override
    public boolean normalizesItself() {
        return true;
    }

    /// Never measured.
    @Override
    public boolean isMemoryProved() {
        return false;
    }

    @Override
    public double weightBytes() {
        return routed.weightBytes();
    }
}
