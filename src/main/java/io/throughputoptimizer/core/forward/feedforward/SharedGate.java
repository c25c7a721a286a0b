package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;

/// The gate of a shared network's result: a number for each token.
final class SharedGate {
    private SharedGate() {}

    /// @param shared `[n, h]`, or `[1, n, h]`
    /// @param gate `[n, 1]`
    static Tensor apply(Tensor shared, Tensor gate, PassRecorder pass) {
        Tensor share = pass.elementwise(Kind.SIGMOID, gate.sameShape(), gate);
        return pass.elementwise(Kind.MULTIPLY, shared.sameShape(), share, shared);
    }
}
