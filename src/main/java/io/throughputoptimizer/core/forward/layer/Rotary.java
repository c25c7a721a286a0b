package io.throughputoptimizer.core.forward.layer;

import static io.throughputoptimizer.core.operator.Quantity.TOKENS;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Tensor;

/// Rotary factors of the tokens in a pass, `[1, S, D]` each.
public record Rotary(Tensor cosines, Tensor sines) {
    /// Width of the factors: to the reference in some models that of whole heads, whatever is rotated of them.
    public static long width(Deployment deployment) {
        return switch (deployment.execution().accounting()) {
            case DOCUMENTED -> deployment.model().rotaryWidth();
            case CORRECTED -> deployment.model().rotatedWidth();
        };
    }

    /// Type of the factors as the reference looks them up or computes them.
    public static DataType type(Deployment deployment) {
        return deployment.model().rotatesWide() ? DataType.FLOAT32 : DataType.FLOAT16;
    }

    /// New factors of the layers proper.
    public static Rotary of(Deployment deployment) {
        Rotary narrow = of(width(deployment));
        return new Rotary(narrow.cosines.as(type(deployment)), narrow.sines.as(type(deployment)));
    }

    public static Rotary of(long width) {
        return new Rotary(Tensor.half(1, TOKENS.form(), width), Tensor.half(1, TOKENS.form(), width));
    }
}
