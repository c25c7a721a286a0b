package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.ParallelLayout;

/// A layout without a result row, and why.
///
/// @param batchSize smallest batch size tried
/// @param detail which limit was broken and by how much, for people
public record RejectedCandidate(ParallelLayout layout, Reason reason, long batchSize, String detail) {

    /// What stood in the way.
    public enum Reason {
        /// The device memory is too small.
        MEMORY,
        /// The TTFT limit is broken.
        TTFT,
        /// The TPOT limit is broken.
        TPOT,
        /// The model cannot be laid out this way.
        MODEL,
        /// The first probe was feasible, yet the search recorded nothing.
        SEARCH
    }
}
