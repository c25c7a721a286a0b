package io.throughputoptimizer.core.feedback;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.load.RequestLengths;
import org.jspecify.annotations.Nullable;

/// A benchmark row: one configuration of a server and its mean latencies in milliseconds.
///
/// @param layout layout of an instance
/// @param concurrency outstanding requests over all attention data parallel ranks of the instance; a multiple
///     of their number
/// @param waves requests of the benchmark divided by its concurrency
/// @param tpotMillis null if not measured
/// @param ttftMillis null if not measured
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
