package io.throughputoptimizer.core.workload;

import org.jspecify.annotations.Nullable;

/// How many requests of a batch have one length.
///
/// @param decoding of requests that decode, where these are not alike
public record LengthSamples(
        RepresentativeLength length, @Nullable Decoding decoding, long samples) {

    /// @param outputTokens generated per request
    /// @param contextTokens halfway through, new ones included
    public record Decoding(int outputTokens, long contextTokens) {}

    /// Of prompts.
    public LengthSamples(RepresentativeLength length, long samples) {
        this(length, null, samples);
    }
}
