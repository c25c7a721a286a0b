package io.throughputoptimizer.core.model;

/// Combination of gate and up inside a SwiGLU network.
public enum GatedActivation {
    /// `silu(gate) * up`.
    SILU,
    /// `gelu(gate) * up`, always in two operators (Gemma).
    GELU,
    /// `gate sigmoid(alpha gate) (up + 1)` on clamped values (MiniMax-M3): always one operator, which no
    /// pattern of msmodeling fuses with a product.
    CLAMPED,
    /// `silu(gate) * up` on clamped values (DeepSeek-V4's shared experts): always one operator.
    CLAMPED_SILU
}
