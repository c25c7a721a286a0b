package io.throughputoptimizer.core.model;

/// How norms store their weights, which decides what fuses with them.
public enum NormStyle {
    /// As they are: the norm fuses with the residual's addition and, where the epsilon allows, with quantization.
    PLAIN,
    /// As they are, multiplied in float32: nothing fuses, not even the norm itself (OLMo 3).
    WIDE,
    /// As their difference from 1: nothing fuses, not even the norm itself (Qwen3.5).
    SHIFTED,
    /// As their difference from 1, with the sum beside it: norms inside layers are operators of their own, of
    /// which that before attention may fuse with quantization; the last one is like [#SHIFTED] (MiniMax-M3).
    SHIFTED_AND_SUMMED
}
