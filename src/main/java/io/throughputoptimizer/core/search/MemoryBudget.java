package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.serving.SimulationAllowance;
import java.util.concurrent.atomic.AtomicLong;

/// Memory budget of one search, in bytes, and the estimated bytes it retains. Listed rows count with the memory
/// needed to write the result. Thread-safe.
public final class MemoryBudget implements SimulationAllowance {
    /// Bytes of a candidate without rows and points: its search and the reason of its rejection.
    static final long CANDIDATE_BYTES = 1024;

    /// Bytes of a point of a curve.
    static final long POINT_BYTES = 1024;

    private static final long ROW_BYTES = 4096;
    private static final long COMPOSITION_BYTES = 512;
    private static final long UNLISTED_ROW_BYTES = 640;
    private static final long UNLISTED_COMPOSITION_BYTES = 128;

    private final long maximumBytes;
    private final AtomicLong kept;

    MemoryBudget(long maximumBytes, long keptBytes) {
        this.maximumBytes = maximumBytes;
        this.kept = new AtomicLong(keptBytes);
    }

    /// Returns a budget without a limit.
    public static MemoryBudget unlimited() {
        return new MemoryBudget(Long.MAX_VALUE, 0);
    }

    /// Returns a budget of the remaining bytes for a part of the search that retains nothing after its end. The
    /// search must not retain more while the part runs.
    MemoryBudget ofPart() {
        return new MemoryBudget(maximumBytes, kept.get());
    }

    /// Returns the bytes of a row that may be listed, including the parts of its mixed batch.
    static long bytes(ResultRow row) {
        return ROW_BYTES + COMPOSITION_BYTES * row.composition().size();
    }

    /// Reserves the bytes of an unlisted row, from which listed rows are chosen, including its candidate.
    ///
    /// @throws SearchMemoryException if the budget is exceeded
    public void takeUnlisted(ResultRow row) {
        take(UNLISTED_ROW_BYTES + UNLISTED_COMPOSITION_BYTES * row.composition().size());
    }

    /// Reserves bytes.
    ///
    /// @throws SearchMemoryException if the budget is exceeded
    public void take(long bytes) {
        if (kept.addAndGet(bytes) > maximumBytes) {
            throw new SearchMemoryException(maximumBytes);
        }
    }

    /// Returns whether the given bytes remain.
    public boolean holds(long bytes) {
        return bytes <= maximumBytes - kept.get();
    }

    void giveBack(long bytes) {
        kept.addAndGet(-bytes);
    }

    /// Requires that the given bytes remain, without reserving them.
    ///
    /// @throws SearchMemoryException if fewer bytes remain
    @Override
    public void require(long bytes) {
        if (!holds(bytes)) {
            throw new SearchMemoryException(maximumBytes);
        }
    }
}
