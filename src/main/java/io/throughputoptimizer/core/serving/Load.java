package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.ParallelLayout;

/// Requests in flight.
///
/// @param batchSize requests per data parallel rank
/// @param concurrency requests of the whole instance
public record Load(long batchSize, long concurrency) {

    /// `concurrency = batchSize * dp * pp`
    static Load of(long batchSize, ParallelLayout layout) {
        return new Load(batchSize, batchSize * layout.dp() * layout.pp());
    }
}
