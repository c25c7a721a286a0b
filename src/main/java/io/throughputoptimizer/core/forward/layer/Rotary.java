package io.throughputoptimizer.core.forward.layer;

import static io.throughputoptimizer.core.operator.Quantity.TOKENS;

import io.throughputoptimizer.core.operator.Tensor;

/// Rotary factors of the tokens in a pass, `[1, S, D]` each.
public record Rotary(Tensor cosines, Tensor sines) {
    public static Rotary of(long width) {
        return new Rotary(Tensor.half(1, TOKENS.form(), width), Tensor.half(1, TOKENS.form(), width));
    }
}
