package io.throughputoptimizer.core.search.batch;

/// Batch sizes per data parallel rank to search, both ends included.
public record BatchRange(int min, int max) {
    public BatchRange {
        if (min <= 0 || max < min) {
            throw new IllegalArgumentException(
                    "batch range is " + min + " to " + max + ": both positive, the first not above the second");
        }
    }
}
