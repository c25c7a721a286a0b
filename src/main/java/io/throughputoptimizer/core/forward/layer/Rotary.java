package io.throughputoptimizer.core.forward.layer;

import static io.throughputoptimizer.core.operator.Quantity.TOKENS;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Rotary factors of the tokens in a pass, `[1, S, D]` each.
public record Rotary(Tensor cosines, Tensor sines) {
    /// Width of the factors: to the reference in some models that of whole heads, whatever is rotated of them. The
    /// largest, where heads are of several.
    public static long width(Deployment deployment) {
        return switch (deployment.execution().accounting()) {
            case DOCUMENTED -> deployment.model().rotaryWidth();
            case STEADY -> deployment.model().rotatedWidth();
        };
    }

    /// Width of those that layers of a kind turn heads by; 0 where positions do not matter.
    public static long width(Deployment deployment, AttentionSpec attention) {
        return switch (deployment.execution().accounting()) {
            case DOCUMENTED -> attention.rotaryWidth();
            case STEADY -> attention.rotatedWidth();
        };
    }

    /// The widths of all layers in their order; one at least.
    public static List<Long> widths(Deployment deployment) {
        List<Long> widths = deployment.model().attentions().stream()
                .map(attention -> width(deployment, attention))
                .filter(width -> width > 0)
                .distinct()
                .toList();
        return widths.isEmpty() ? List.of(width(deployment)) : widths;
    }

    /// Type of the factors as the reference looks them up or computes them.
    public static DataType type(Deployment deployment) {
        return deployment.model().rotatesWide() ? DataType.FLOAT32 : DataType.FLOAT16;
    }

    /// New factors of the layers proper.
    public static Rotary of(Deployment deployment) {
        return of(deployment, widths(deployment).getFirst());
    }

    /// Creates factors of one width.
    public static Rotary of(Deployment deployment, long width) {
        Rotary narrow = of(width);
        return new Rotary(narrow.cosines.as(type(deployment)), narrow.sines.as(type(deployment)));
    }

    public static Rotary of(long width) {
        return new Rotary(Tensor.half(1, TOKENS.form(), width), Tensor.half(1, TOKENS.form(), width));
    }
}
