package io.throughputoptimizer.core.model;

/// Attention that nobody measured kernels of: only the roofline prices it.
public sealed interface UnmeasuredAttention extends AttentionSpec
        permits AttentionSpec.GatedDelta, AttentionSpec.BlockSparse, CompressedSpec {

    /// What people call it.
    String title();
}
