package io.throughputoptimizer.core.workload;

import org.jspecify.annotations.Nullable;

/// Number of requests of one length in a batch.
///
/// @param decoding output and context of decoding requests if they differ; absent otherwise
/// @param samples number of requests
public record LengthSamples(
        RepresentativeLength length, @Nullable Decoding decoding, long samples) {

    /// Output and context of decoding requests.
    ///
    /// @param outputTokens output tokens per request
    /// @param contextTokens context halfway through the output, new tokens included
    public record Decoding(int outputTokens, long contextTokens) {}
}
