package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.search.RejectedCandidate.Reason;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.search.space.Handovers;
import io.throughputoptimizer.core.search.space.KvTransfer;
import io.throughputoptimizer.core.search.space.KvTransfer.Handover;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the transfer of a cache leaves of the limits on TTFT and on whole answers: they hold for prefill and
/// transfer together. Immutable and thread-safe.
///
/// @param handovers absent where prefill hands over in no time
public record HandoverLimit(@Nullable Handovers handovers) {
    /// Where prefill hands over in no time.
    static final HandoverLimit NONE = new HandoverLimit(null);

    static HandoverLimit of(OptimizationProblem problem, ForwardEstimator estimator) {
        Pairing pairing = problem.search().instances();
        return of(pairing == null ? null : pairing.transfer(), estimator);
    }

    /// @param transfer absent where prefill hands over in no time
    static HandoverLimit of(@Nullable KvTransfer transfer, ForwardEstimator estimator) {
        return new HandoverLimit(transfer == null ? null : new Handovers(transfer, estimator));
    }

    /// What a request of the candidate hands over; absent where that takes no time.
    public @Nullable Handover of(Candidate candidate) {
        return handovers == null ? null : handovers.of(candidate);
    }

    /// Limits in a phase of a candidate by itself; empty where the transfer alone breaks one.
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

    /// Rows that keep the limits in a phase.
    List<ResultRow> kept(Phase phase, Limits limits, List<ResultRow> rows) {
        return rows.stream()
                .filter(row -> limits(phase, limits, row.candidate())
                        .filter(own -> Ranking.keeps(row, own))
                        .isPresent())
                .toList();
    }

    /// Why a candidate has no row, with the part of the transfer in it.
    RejectedCandidate explained(RejectedCandidate rejected, PhasePlan plan) {
        boolean whole = rejected.reason() == Reason.REQUEST_LATENCY && plan.phase() != Phase.AGGREGATION;
        boolean broken = (whole || rejected.reason() == Reason.TTFT) && rejected.batchSize() != null;
        Handover handover = broken && binds(plan.phase(), plan.limits()) ? of(rejected.candidate()) : null;
        String words = (whole ? WholeAnswers.inPart(plan.phase()) : "") + (handover == null ? "" : beside(handover));
        return words.isEmpty()
                ? rejected
                : new RejectedCandidate(
                        rejected.candidate(),
                        rejected.reason(),
                        rejected.batchSize(),
                        rejected.detail() + words,
                        rejected.ofLimit());
    }

    /// What to say of a latency that leaves the transfer out.
    static String beside(Handover handover) {
        return ", beside the KV transfer of " + millis(handover) + " ms";
    }

    /// A candidate whose transfer alone takes longer than it may.
    RejectedCandidate tooLong(Candidate candidate, PhasePlan plan) {
        Handover handover = of(candidate);
        Double ttft = plan.limits().ttftMillis();
        boolean late = ttft != null && handover != null && handover.millis() >= ttft;
        return new RejectedCandidate(
                candidate,
                late ? Reason.TTFT : Reason.REQUEST_LATENCY,
                null,
                "KV transfer " + (handover == null ? 0 : millis(handover)) + " ms alone exceeds "
                        + (late ? ttft : plan.limits().requestLatencyMillis()) + " ms");
    }

    private static boolean binds(Phase phase, Limits limits) {
        return phase == Phase.PREFILL && (limits.ttftMillis() != null || limits.requestLatencyMillis() != null);
    }

    private static double millis(Handover handover) {
        return Rounding.toThousandths(handover.millis());
    }
}
