package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.operator.Tensor;

/// The router of a layer: which experts each token visits, and with what weight.
interface ExpertGate {
    /// Writes down one layer's routing.
    ///
    /// @param hidden `[1, N, h]`, before the rank takes its share
    Routed route(Tensor hidden, TokenShare share);

    /// @param tokens the rank's share, `[n, h]` or `[1, N, h]`
    /// @param weights `[n, k]`
    /// @param indices `[n, k]`, int64
    record Routed(Tensor tokens, Tensor weights, Tensor indices) {}
}
