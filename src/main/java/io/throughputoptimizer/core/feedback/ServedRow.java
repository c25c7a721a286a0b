package io.throughputoptimizer.core.feedback;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.steady.RequestLengths;
import org.jspecify.annotations.Nullable;

/// A row of a benchmark: one configuration of a server, and the means that were printed, in milliseconds.
///
/// @param layout of an instance
/// @param concurrency requests outstanding, over all attention data parallel ranks of the instance: a multiple of them
/// @param waves requests of the benchmark per outstanding one
/// @param tpotMillis absent where it was not measured
/// @param ttftMillis absent likewise
public record ServedRow(
        ParallelLayout layout,
        int concurrency,
        RequestLengths lengths,
        double waves,
        @Nullable Double tpotMillis,
        @Nullable Double ttftMillis) {
    double ofRank() {
        return (double) concurrency / layout.dp();
    }
}
