package io.throughputoptimizer.core.forward.attention;

/// Where layers of equal structure stand in a model: what layers share, the reference works out in the first
/// ones that need it, and then finds it there.
public enum Place {
    /// The first structure of the model.
    FIRST,
    /// A later one, the first with its kind of attention.
    FIRST_OF_KIND,
    /// A later one, whose kind of attention came before.
    LATER
}
