package io.throughputoptimizer.core.forward.layer;

import io.throughputoptimizer.core.operator.Tensor;
import org.jspecify.annotations.Nullable;

/// Weight of one linear layer as one rank holds it.
///
/// @param inputWidth `K`
/// @param outputWidth `N`
/// @param weight `[K, N]`, or packed `[K / 2, N]`
/// @param blockScale MXFP4 scales, else absent
/// @param bias `[N]` or absent
public record LinearWeight(
        long inputWidth,
        long outputWidth,
        Tensor weight,
        @Nullable Tensor blockScale,
        @Nullable Tensor bias) {
    public double bytes() {
        return bytes(weight) + bytes(blockScale) + bytes(bias);
    }

    private static double bytes(@Nullable Tensor part) {
        return part == null ? 0 : part.bytes().number();
    }
}
