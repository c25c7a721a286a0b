package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.operator.Tensor;

/// The network that every token visits in addition to its experts; not sharded.
interface SharedExpert {
    /// Makes the tokens ready before the experts run.
    Activation prepare(Tensor tokens, LayerScales scales);

    /// Adds the network's result for `tokens` to that of the experts.
    Tensor addTo(Tensor combined, Activation tokens, LayerScales scales);
}
