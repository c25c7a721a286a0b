package io.throughputoptimizer.core.model;

/// How heads are turned by their positions, which decides what fuses.
public enum HeadRotation {
    /// The two halves against each other, in one operator where whole heads are turned in a compiled graph.
    HALVES,
    /// The same, as if a part of each head were turned, where the graph is not compiled (Phi-3).
    HALVES_IN_PARTS,
    /// Neighbours against each other, in single operators (GLM-4).
    PAIRS,
    /// Neighbours against each other in float32, by factors in float32 (ERNIE-4.5).
    WIDE_PAIRS,
    /// The two halves against each other in float32, by factors in float32 (OLMo 3).
    WIDE_HALVES;

    /// Whether factors and products are in float32.
    public boolean isWide() {
        return this == WIDE_PAIRS || this == WIDE_HALVES;
    }
}
