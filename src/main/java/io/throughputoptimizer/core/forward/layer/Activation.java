package io.throughputoptimizer.core.forward.layer;

import io.throughputoptimizer.core.operator.Tensor;
import org.jspecify.annotations.Nullable;

/// An activation as a linear layer takes it.
///
/// @param scale present when the values are quantized
public record Activation(Tensor values, @Nullable Tensor scale) {

    /// Returns this activation seen through a view of its values.
    public Activation with(Tensor view) {
        return new Activation(view, scale);
    }
}
