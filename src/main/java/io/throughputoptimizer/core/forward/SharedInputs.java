package io.throughputoptimizer.core.forward;

/// Inputs that layers of different kinds share in the eyes of the memory ledger.
///
/// @param first of the first layer of each kind
/// @param repeated of its n-th repetition, one set for each n
record SharedInputs(LayerInputs first, LayerInputs repeated) {}
