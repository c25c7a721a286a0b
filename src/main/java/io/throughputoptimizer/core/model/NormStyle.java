package io.throughputoptimizer.core.model;

/// Storage of norm weights, which determines operator fusion.
public enum NormStyle {
    /// Stored as is: the norm fuses with the residual addition and, if the epsilon allows, with quantization.
    PLAIN,
    /// Stored as is and multiplied in float32: nothing fuses, the norm included (OLMo 3).
    WIDE,
    /// Stored as the difference from 1: nothing fuses, the norm included (Qwen3.5).
    SHIFTED,
    /// Stored as the difference from 1 and as the sum: norms inside layers are single operators, of which the
    /// one before attention can fuse with quantization; the last norm is as in [#SHIFTED] (MiniMax-M3).
    SHIFTED_AND_SUMMED
}
