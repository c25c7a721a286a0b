package io.throughputoptimizer.core.workload;

/// How many requests of a batch have one length.
public record LengthSamples(RepresentativeLength length, long samples) {}
