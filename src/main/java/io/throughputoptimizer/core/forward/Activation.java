package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.operator.Tensor;
import org.jspecify.annotations.Nullable;

/// An activation as a linear layer takes it.
///
/// @param scale present when the values are quantized
record Activation(Tensor values, @Nullable Tensor scale) {

    /// The same activation seen through a view of its values.
    Activation with(Tensor view) {
        return new Activation(view, scale);
    }
}
