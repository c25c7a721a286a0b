package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.serving.SimulationAllowance;
import java.util.concurrent.atomic.AtomicLong;

/// What one search may keep in memory, in bytes, and what it does keep: estimated, of what is listed with room for what
/// becomes of it when the result is written. Thread-safe.
public final class Allowance implements SimulationAllowance {
    /// Of a candidate without rows and points: its search, and why it was rejected.
    static final long CANDIDATE_BYTES = 1024;

    /// Of a point of a curve.
    static final long POINT_BYTES = 1024;

    private static final long ROW_BYTES = 4096;
    private static final long COMPOSITION_BYTES = 512;
    private static final long UNLISTED_ROW_BYTES = 640;
    private static final long UNLISTED_COMPOSITION_BYTES = 128;

    private final long maximumBytes;
    private final AtomicLong kept;

    Allowance(long maximumBytes) {
        this(maximumBytes, 0);
    }

    private Allowance(long maximumBytes, long keptBytes) {
        this.maximumBytes = maximumBytes;
        this.kept = new AtomicLong(keptBytes);
    }

    /// Of a search that may keep all that there is room for.
    public static Allowance unlimited() {
        return new Allowance(Long.MAX_VALUE);
    }

    /// What is left now, for a part of the search that keeps nothing beyond its end. The search is not to keep more
    /// while the part runs.
    Allowance ofPart() {
        return new Allowance(maximumBytes, kept.get());
    }

    /// Of a row that may be listed, with the parts of its mixed batch.
    static long bytes(ResultRow row) {
        return ROW_BYTES + COMPOSITION_BYTES * row.composition().size();
    }

    /// Takes what a row needs that others are chosen from, with its candidate.
    ///
    /// @throws SearchMemoryException if that is more than there is
    public void takeUnlisted(ResultRow row) {
        take(UNLISTED_ROW_BYTES + UNLISTED_COMPOSITION_BYTES * row.composition().size());
    }

    /// @throws SearchMemoryException if that is more than there is
    public void take(long bytes) {
        if (kept.addAndGet(bytes) > maximumBytes) {
            throw new SearchMemoryException(maximumBytes);
        }
    }

    /// Whether so much more is left.
    public boolean holds(long bytes) {
        return bytes <= maximumBytes - kept.get();
    }

    void giveBack(long bytes) {
        kept.addAndGet(-bytes);
    }

    /// @throws SearchMemoryException if that is more than is left
    @Override
    public void require(long bytes) {
        if (!holds(bytes)) {
            throw new SearchMemoryException(maximumBytes);
        }
    }
}
