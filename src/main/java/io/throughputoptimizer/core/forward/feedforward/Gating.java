package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.model.GatedActivation;
import io.throughputoptimizer.core.operator.DeviceOperators;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;

/// The joining of gate and up in a compiled graph.
final class Gating {
    private Gating() {}

    /// @param gate `[..., width]`
    /// @param up up projection, `[..., width]`
    static Tensor join(GatedActivation activation, Tensor gate, Tensor up, PassRecorder pass) {
        return switch (activation) {
            case SILU -> pass.add(DeviceOperators.swiGlu(gate, up, gate.sameShape()));
            case GELU -> {
                Tensor activated = pass.elementwise(Kind.FUSED_GELU, gate.sameShape(), gate);
                yield pass.elementwise(Kind.MULTIPLY, up.sameShape(), activated, up);
            }
            case SQUARED_RELU -> throw new IllegalStateException("networks without a gate have no price");
            case CLAMPED -> pass.add(DeviceOperators.clampedSwiGlu(gate, up, gate.sameShape()));
            case CLAMPED_SILU -> pass.add(DeviceOperators.clampedSilu(gate, up, gate.sameShape()));
        };
    }
}
