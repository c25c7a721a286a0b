package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.layer.EagerLayers;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.layer.LinearWeight;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.model.GatedActivation;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Gate and up of a network in an eager graph, and how they are joined.
///
/// @param pass recorder of operators
record EagerGating(GatedActivation activation, EagerLayers layers, PassRecorder pass) {

    /// Gate and up of `input`, joined; the gate is activated before up is there.
    Tensor inner(Tensor input, DenseShard.Weights weights, LayerScales scales) {
        LinearWeight joined = weights.joined();
        if (joined != null) {
            Tensor both = layers.linear(input, joined, scales);
            long width = both.last() / 2;
            List<Tensor> parts = pass.split(pass.flatten(both), width, width);
            return join(pass.unflatten(parts.get(0)), pass.unflatten(parts.get(1)));
        }
        Tensor gate = layers.linear(input, weights.gate(), scales);
        return switch (activation) {
            case SILU, GELU -> {
                Tensor activated = pass.elementwise(function(), gate.sameShape(), gate);
                Tensor up = layers.linear(input, weights.up(), scales);
                yield pass.elementwise(Kind.MULTIPLY, up.sameShape(), activated, up);
            }
            case CLAMPED, CLAMPED_SILU, SQUARED_RELU -> join(gate, layers.linear(input, weights.up(), scales));
        };
    }

    private Kind function() {
        return activation == GatedActivation.GELU ? Kind.GELU : Kind.SILU;
    }

    /// Joins what is there already.
    Tensor join(Tensor gate, Tensor up) {
        return switch (activation) {
            case SILU, GELU -> {
                Tensor activated = pass.elementwise(function(), gate.sameShape(), gate);
                yield pass.elementwise(Kind.MULTIPLY, up.sameShape(), up, activated);
            }
            case CLAMPED, CLAMPED_SILU, SQUARED_RELU -> Gating.join(activation, gate, up, pass);
        };
    }
}
