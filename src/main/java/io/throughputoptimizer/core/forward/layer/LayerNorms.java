package io.throughputoptimizer.core.forward.layer;

import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.Tensor;

/// Norms inside layers, as a compiled graph has them or an eager one.
public final class LayerNorms {
    private final LinearLayers linears;
    private final EagerLayers eager;
    private final boolean compiled;

    public LayerNorms(LinearLayers linears, boolean compiled, PassRecorder pass) {
        this.linears = linears;
        this.eager = new EagerLayers(linears, pass);
        this.compiled = compiled;
    }

    /// Over the last dimension, with a weight of its own.
    public Tensor norm(Tensor input) {
        return compiled ? linears.norm(input) : eager.norm(input);
    }

    /// Normalizes over the last dimension, without a weight.
    public Tensor bareNorm(Tensor input) {
        return compiled ? linears.bareNorm(input) : eager.bareNorm(input);
    }

    public LinearLayers linears() {
        return linears;
    }

    public boolean areCompiled() {
        return compiled;
    }
}
