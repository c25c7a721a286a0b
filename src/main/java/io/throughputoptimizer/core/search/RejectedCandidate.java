package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.LimitBreach;
import org.jspecify.annotations.Nullable;

/// A candidate without a result row, and why.
///
/// @param batchSize smallest batch size tried; absent when none was
/// @param detail which limit was broken and by how much, for people
/// @param ofLimit what is needed as a multiple of what there is; absent where that is no number
public record RejectedCandidate(
        Candidate candidate,
        Reason reason,
        @Nullable Long batchSize,
        String detail,
        @Nullable Double ofLimit) {

    /// Of a limit that is no number.
    public RejectedCandidate(Candidate candidate, Reason reason, @Nullable Long batchSize, String detail) {
        this(candidate, reason, batchSize, detail, null);
    }

    /// What stood in the way.
    public enum Reason {
        /// The device memory is too small.
        MEMORY,
        /// The TTFT limit is broken.
        TTFT,
        /// The TPOT limit is broken.
        TPOT,
        /// The limit on the time of a whole answer is broken.
        REQUEST_LATENCY,
        /// The model cannot be laid out this way.
        MODEL,
        /// The first probe was feasible, yet the search recorded nothing.
        SEARCH,
        /// No batch size of the range serves as many requests as the objective needs.
        BATCH_RANGE;

        /// The same as what binds.
        public BindingLimit limit() {
            return switch (this) {
                case MEMORY -> BindingLimit.MEMORY;
                case TTFT -> BindingLimit.TTFT;
                case TPOT -> BindingLimit.TPOT;
                case REQUEST_LATENCY -> BindingLimit.REQUEST_LATENCY;
                case MODEL -> BindingLimit.MODEL;
                case SEARCH -> BindingLimit.SEARCH;
                case BATCH_RANGE -> BindingLimit.BATCH_RANGE;
            };
        }
    }

    static RejectedCandidate of(Candidate candidate, long batchSize, LimitBreach breach) {
        return of(candidate, batchSize, breach, "");
    }

    /// @param beside what to say after the breach
    static RejectedCandidate of(Candidate candidate, long batchSize, LimitBreach breach, String beside) {
        Reason reason = switch (breach) {
            case LimitBreach.OutOfMemory _ -> Reason.MEMORY;
            case LimitBreach.TtftExceeded _ -> Reason.TTFT;
            case LimitBreach.TpotExceeded _ -> Reason.TPOT;
            case LimitBreach.RequestLatencyExceeded _ -> Reason.REQUEST_LATENCY;
        };
        return new RejectedCandidate(candidate, reason, batchSize, breach.description() + beside, breach.ofLimit());
    }
}
