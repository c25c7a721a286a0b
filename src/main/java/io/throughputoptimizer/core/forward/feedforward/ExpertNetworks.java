package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.operator.Tensor;

/// What the experts of a rank compute.
interface ExpertNetworks {
    /// Writes down one layer's experts.
    ///
    /// @param received tokens of all of them, `[R, h]`
    /// @return the same for their results
    Tensor apply(Tensor received, ExpertLoad load, LayerScales scales);

    /// Whether the memory of the layout is proved equal to the reference.
    boolean isMemoryProved();
}
