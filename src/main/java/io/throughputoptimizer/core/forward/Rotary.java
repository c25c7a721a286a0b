package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.operator.Tensor;

/// Rotary factors of the tokens in a pass, `[1, S, D]` each.
record Rotary(Tensor cosines, Tensor sines) {
    static Rotary of(long tokens, long width) {
        return new Rotary(Tensor.half(1, tokens, width), Tensor.half(1, tokens, width));
    }
}
