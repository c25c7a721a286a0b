package io.throughputoptimizer.core.search;

/// A search would keep more than it is allowed to.
public final class SearchMemoryException extends RuntimeException {
    private final long maximumBytes;

    SearchMemoryException(long maximumBytes) {
        super("the search would keep more than " + maximumBytes + " bytes");
        this.maximumBytes = maximumBytes;
    }

    /// What it is allowed to keep.
    public long maximumBytes() {
        return maximumBytes;
    }
}
