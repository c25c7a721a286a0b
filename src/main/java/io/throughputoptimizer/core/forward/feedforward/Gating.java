package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.model.GatedActivation;
import io.throughputoptimizer.core.operator.ClampedSilu;
import io.throughputoptimizer.core.operator.ClampedSwiGlu;
import io.throughputoptimizer.core.operator.SwiGlu;
import io.throughputoptimizer.core.operator.Tensor;

/// How a compiled graph joins gate and up.
final class Gating {
    private Gating() {}

    /// @param gate `[..., width]`
    /// @param up the same shape
    static Tensor join(GatedActivation activation, Tensor gate, Tensor up, PassRecorder pass) {
        return pass.add(
                switch (activation) {
                    case SILU -> new SwiGlu(gate, up, gate.sameShape());
                    case CLAMPED -> new ClampedSwiGlu(gate, up, gate.sameShape());
                    case CLAMPED_SILU -> new ClampedSilu(gate, up, gate.sameShape());
                });
    }
}
