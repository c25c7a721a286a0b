package io.throughputoptimizer.core.model;

/// What joins gate and up inside a SwiGLU network.
public enum GatedActivation {
    /// `silu(gate) * up`.
    SILU,
    /// `gelu(gate) * up`, in two operators, compiled or not (Gemma).
    GELU,
    /// `gate sigmoid(alpha gate) (up + 1)` on values within a limit (MiniMax-M3): one operator, compiled or not,
    /// that no pattern of the reference fuses with a product.
    CLAMPED,
    /// `silu(gate) * up` on values within a limit (DeepSeek-V4's shared experts): one operator, compiled or not.
    CLAMPED_SILU
}
