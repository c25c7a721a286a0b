package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.serving.SimulationAllowance;
import java.util.concurrent.atomic.AtomicLong;

/// What one search may keep in memory, and what it does keep: estimated, with room for what becomes of it when the
/// result is written. Thread-safe.
final class Allowance implements SimulationAllowance {
    /// Of a candidate without rows and points: its search, and why it was rejected.
    static final long CANDIDATE_BYTES = 1024;

    /// Of a point of a curve.
    static final long POINT_BYTES = 1024;

    private static final long ROW_BYTES = 4096;
    private static final long COMPOSITION_BYTES = 512;

    private final long maximumBytes;
    private final AtomicLong kept = new AtomicLong();

    Allowance(long maximumBytes) {
        this.maximumBytes = maximumBytes;
    }

    /// Of a row, with the parts of its mixed batch.
    static long bytes(ResultRow row) {
        return ROW_BYTES + COMPOSITION_BYTES * row.composition().size();
    }

    /// @throws SearchMemoryException if that is more than there is
    void take(long bytes) {
        if (kept.addAndGet(bytes) > maximumBytes) {
            throw new SearchMemoryException(maximumBytes);
        }
    }

    void giveBack(long bytes) {
        kept.addAndGet(-bytes);
    }

    /// @throws SearchMemoryException if that is more than is left
    @Override
    public void require(long bytes) {
        if (kept.get() + bytes > maximumBytes) {
            throw new SearchMemoryException(maximumBytes);
        }
    }
}
