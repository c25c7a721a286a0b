package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.operator.Tensor;

/// The computation of a rank's experts.
interface ExpertNetworks {
    /// Writes down one layer's experts.
    ///
    /// @param received tokens of all of them, `[R, h]`
    /// @return the same for their results
    Tensor apply(Tensor received, ExpertLoad load, LayerScales scales);

    /// Returns whether the memory of this expert layout is proved equal to the reference.
    boolean isMemoryProved();
}
