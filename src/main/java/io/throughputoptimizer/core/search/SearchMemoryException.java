package io.throughputoptimizer.core.search;

/// Thrown when a search would exceed its memory budget.
public final class SearchMemoryException extends RuntimeException {
    private final long maximumBytes;

    SearchMemoryException(long maximumBytes) {
        super("the search would keep more than " + maximumBytes + " bytes");
        this.maximumBytes = maximumBytes;
    }

    /// Returns the memory budget, in bytes.
    public long maximumBytes() {
        return maximumBytes;
    }
}
