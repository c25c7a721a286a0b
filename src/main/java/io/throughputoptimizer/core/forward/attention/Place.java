package io.throughputoptimizer.core.forward.attention;

/// The place of layers of equal structure in a model. The reference computes shared values in the first layers that
/// need them; later layers reuse them.
public enum Place {
    /// The first structure of the model.
    FIRST,
    /// A later one, the first with its kind of attention.
    FIRST_OF_KIND,
    /// A later one, whose kind of attention came before.
    LATER
}
