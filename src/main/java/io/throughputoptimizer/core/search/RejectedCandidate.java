package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.LimitBreach;
import org.jspecify.annotations.Nullable;

/// A candidate without a result row, and the reason.
///
/// @param batchSize smallest batch size tried; absent if none was
/// @param detail violated constraint and its excess, for people
/// @param ofLimit required amount as a multiple of the available; absent if the constraint is not a number
public record RejectedCandidate(
        Candidate candidate,
        Reason reason,
        @Nullable Long batchSize,
        String detail,
        @Nullable Double ofLimit) {

    /// Reason of a rejection.
    public enum Reason {
        /// The device memory is too small.
        MEMORY,
        /// The TTFT target is exceeded.
        TTFT,
        /// The TPOT target is exceeded.
        TPOT,
        /// The end-to-end latency target is exceeded.
        E2E_LATENCY,
        /// The model does not support the layout.
        MODEL,
        /// The first probe was feasible, yet the search recorded no row.
        SEARCH,
        /// No batch size of the range reaches the objective's minimum concurrency.
        BATCH_RANGE;

        /// Returns the reason as a limiting constraint.
        public BindingLimit limit() {
            return switch (this) {
                case MEMORY -> BindingLimit.MEMORY;
                case TTFT -> BindingLimit.TTFT;
                case TPOT -> BindingLimit.TPOT;
                case E2E_LATENCY -> BindingLimit.E2E_LATENCY;
                case MODEL -> BindingLimit.MODEL;
                case SEARCH -> BindingLimit.SEARCH;
                case BATCH_RANGE -> BindingLimit.BATCH_RANGE;
            };
        }
    }

    static RejectedCandidate of(Candidate candidate, long batchSize, LimitBreach breach) {
        return of(candidate, batchSize, breach, "");
    }

    /// Creates a rejection for an exceeded limit.
    ///
    /// @param beside text that follows the description of the excess
    static RejectedCandidate of(Candidate candidate, long batchSize, LimitBreach breach, String beside) {
        Reason reason = switch (breach) {
            case LimitBreach.OutOfMemory _ -> Reason.MEMORY;
            case LimitBreach.TtftExceeded _ -> Reason.TTFT;
            case LimitBreach.TpotExceeded _ -> Reason.TPOT;
            case LimitBreach.RequestLatencyExceeded _ -> Reason.E2E_LATENCY;
        };
        return new RejectedCandidate(candidate, reason, batchSize, breach.description() + beside, breach.ofLimit());
    }
}
