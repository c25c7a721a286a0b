package io.throughputoptimizer.core.model;

/// Attention whose kernels were measured, so that passes with it are priced by calibrations too.
public sealed interface MeasuredAttention extends AttentionSpec
        permits AttentionSpec.GroupedQuery, AttentionSpec.MultiHeadLatent {}
