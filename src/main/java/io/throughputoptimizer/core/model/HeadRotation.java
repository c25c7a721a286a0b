package io.throughputoptimizer.core.model;

/// Rotation of heads by their positions, which determines operator fusion.
public enum HeadRotation {
    /// Rotation of the two halves against each other; one operator if whole heads are rotated in a compiled
    /// graph.
    HALVES,
    /// Rotation of halves; uncompiled graphs run it as if only a part of each head were rotated (Phi-3).
    HALVES_IN_PARTS,
    /// Rotation of neighboring elements, in single operators (GLM-4).
    PAIRS,
    /// Rotation of neighboring elements in float32, with float32 factors (ERNIE-4.5).
    WIDE_PAIRS,
    /// Rotation of halves in float32, with float32 factors (OLMo 3).
    WIDE_HALVES;

    /// Returns whether factors and products are in float32.
    public boolean isWide() {
        return this == WIDE_PAIRS || this == WIDE_HALVES;
    }
}
