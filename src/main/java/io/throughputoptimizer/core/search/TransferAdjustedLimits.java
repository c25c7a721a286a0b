package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.search.RejectedCandidate.Reason;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.search.space.KvTransferCosts;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.core.search.space.KvTransferLink.Handover;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// TTFT and end-to-end latency targets reduced by the KV transfer: the targets cover prefill and transfer
/// together. Immutable and thread-safe.
///
/// @param handovers sizes of KV transfers; absent if a transfer takes no time
public record TransferAdjustedLimits(@Nullable KvTransferCosts handovers) {
    /// Targets without transfer time.
    static final TransferAdjustedLimits NONE = new TransferAdjustedLimits(null);

    static TransferAdjustedLimits of(OptimizationProblem problem, ForwardEstimator estimator) {
        Pairing pairing = problem.search().instances();
        return of(pairing == null ? null : pairing.transfer(), estimator);
    }

    /// Returns the targets for a KV transfer.
    ///
    /// @param transfer link between prefill and decode; absent if a transfer takes no time
    static TransferAdjustedLimits of(@Nullable KvTransferLink transfer, ForwardEstimator estimator) {
        return new TransferAdjustedLimits(transfer == null ? null : new KvTransferCosts(transfer, estimator));
    }

    /// Returns the KV transfer of a request of the candidate; absent if it takes no time.
    public @Nullable Handover of(Candidate candidate) {
        return handovers == null ? null : handovers.of(candidate);
    }

    /// Returns the targets of a phase alone for a candidate; empty if the transfer alone violates one.
    public Optional<Limits> limits(Phase phase, Limits limits, Candidate candidate) {
        Handover handover = binds(phase, limits) ? of(candidate) : null;
        if (handover == null) {
            return Optional.of(limits);
        }
        Double ttft = less(limits.ttftMillis(), handover);
        Double whole = less(limits.requestLatencyMillis(), handover);
        return isLeft(ttft) && isLeft(whole)
                ? Optional.of(limits.withTtft(ttft).withRequestLatency(whole))
                : Optional.empty();
    }

    private static @Nullable Double less(@Nullable Double limit, Handover handover) {
        return limit == null ? null : (Double) (limit - handover.millis());
    }

    private static boolean isLeft(@Nullable Double millis) {
        return millis == null || millis > 0;
    }

    /// Returns the rows that meet the targets in a phase.
    List<ResultRow> kept(Phase phase, Limits limits, List<ResultRow> rows) {
        return rows.stream()
                .filter(row -> limits(phase, limits, row.candidate())
                        .filter(own -> Ranking.keeps(row, own))
                        .isPresent())
                .toList();
    }

    /// Returns the rejection of a candidate, with the transfer time added to its message.
    RejectedCandidate explained(RejectedCandidate rejected, PhasePlan plan) {
        boolean whole = rejected.reason() == Reason.E2E_LATENCY && plan.phase() != Phase.AGGREGATION;
        boolean broken = (whole || rejected.reason() == Reason.TTFT) && rejected.batchSize() != null;
        Handover handover = broken && binds(plan.phase(), plan.limits()) ? of(rejected.candidate()) : null;
        String words =
                (whole ? EndToEndLatencyLimit.inPart(plan.phase()) : "") + (handover == null ? "" : beside(handover));
        return words.isEmpty()
                ? rejected
                : new RejectedCandidate(
                        rejected.candidate(),
                        rejected.reason(),
                        rejected.batchSize(),
                        rejected.detail() + words,
                        rejected.ofLimit());
    }

    /// Returns the message part for a latency without the transfer.
    static String beside(Handover handover) {
        return ", without the KV transfer of " + millis(handover) + " ms";
    }

    /// Returns the rejection of a candidate whose transfer alone exceeds a target.
    RejectedCandidate tooLong(Candidate candidate, PhasePlan plan) {
        Handover handover = of(candidate);
        Double ttft = plan.limits().ttftMillis();
        boolean late = ttft != null && handover != null && handover.millis() >= ttft;
        return new RejectedCandidate(
                candidate,
                late ? Reason.TTFT : Reason.E2E_LATENCY,
                null,
                "KV transfer " + (handover == null ? 0 : millis(handover)) + " ms alone exceeds "
                        + (late ? ttft : plan.limits().requestLatencyMillis()) + " ms",
                null);
    }

    private static boolean binds(Phase phase, Limits limits) {
        return phase == Phase.PREFILL && (limits.ttftMillis() != null || limits.requestLatencyMillis() != null);
    }

    private static double millis(Handover handover) {
        return Rounding.toThousandths(handover.millis());
    }
}
