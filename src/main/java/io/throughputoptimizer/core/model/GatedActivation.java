package io.throughputoptimizer.core.model;

/// Combination of gate and up inside a network.
public enum GatedActivation {
    /// `silu(gate) * up`.
    SILU,
    /// `gelu(gate) * up`, always in two operators (Gemma).
    GELU,
    /// `gate sigmoid(alpha gate) (up + 1)` on clamped values (MiniMax-M3): always one operator, which no
    /// pattern of msmodeling fuses with a product.
    CLAMPED,
    /// `silu(gate) * up` on clamped values (DeepSeek-V4's shared experts): always one operator.
    CLAMPED_SILU,
    /// `relu(up)^2`, without a gate (Nemotron).
    SQUARED_RELU;

    /// Returns whether networks have a gate.
    public boolean isGated() {
        return this != SQUARED_RELU;
    }

    /// Returns the matrices of a network, the one down included.
    public int matrices() {
        return isGated() ? 3 : 2;
    }
}
