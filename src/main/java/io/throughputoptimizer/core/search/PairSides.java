package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.search.space.KvTransfer.Handover;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What prefill and decode instances can bring into pairs: of each layout and size the batch size that serves most
/// requests within the limits, the one on TTFT less what the transfer of the cache takes.
///
/// Immutable and thread-safe.
public final class PairSides {
    private final OptimizationProblem problem;
    private final HandoverLimit handovers;

    PairSides(OptimizationProblem problem, HandoverLimit handovers) {
        this.problem = problem;
        this.handovers = handovers;
    }

    /// Those of a problem in mode [SearchMode#PD_RATIO].
    public static PairSides of(OptimizationProblem problem, ForwardEstimator estimator) {
        return new PairSides(problem, HandoverLimit.of(problem, estimator));
    }

    /// Best of each candidate for prefill; none of candidates that keep no limit.
    ///
    /// @param found by a search of the problem for prefill
    public List<Side> prefill(PhaseResult found) {
        Limits limits = problem.demand().limits().in(Phase.PREFILL);
        return List.copyOf(search().bestPrefill(handovers.kept(Phase.PREFILL, limits, found.recorded())));
    }

    /// Best of each candidate for decode; none of candidates that keep no limit.
    ///
    /// @param found by a search of the problem for decode
    public List<Side> decode(PhaseResult found) {
        return List.copyOf(search().bestDecode(found.recorded()));
    }

    /// What a request hands over; absent where that takes no time.
    public @Nullable Handover handover(Candidate candidate) {
        return handovers.of(candidate);
    }

    /// Time to first token of a prefill side and the transfer.
    public double ttftMillis(Side prefill) {
        Handover handover = handovers.of(prefill.candidate());
        return handover == null ? prefill.latencyMillis() : prefill.latencyMillis() + handover.millis();
    }

    /// Limits in a phase of a candidate by itself; empty where the transfer alone takes longer than the first token
    /// may.
    public Optional<Limits> limits(Phase phase, Candidate candidate) {
        return handovers.limits(phase, problem.demand().limits().in(phase), candidate);
    }

    /// What to say of a time to first token of a candidate that leaves the transfer out; nothing where it takes no
    /// time.
    public String besideTransfer(Candidate candidate) {
        Handover handover = handovers.of(candidate);
        return handover == null ? "" : HandoverLimit.beside(handover);
    }

    /// What a point of a search for prefill, or for decode, brings into pairs; empty without a positive time and rate.
    public Optional<Side> side(SearchPoint point) {
        return search().side(point);
    }

    /// Two sides in the numbers of instances that are best for them; empty when the devices do not hold one of each.
    public Optional<PdRatioRow> together(Side prefill, Side decode) {
        return new PairRanking(objective(), handovers, problem.available())
                .best(new PairCounts(
                        prefill, decode, new Kinds(prefill.device(), decode.device()), problem.available()));
    }

    /// What numbers of instances go by.
    PairObjective objective() {
        return new PairObjective(
                problem.ranking(), problem.demand().workload().outputs().mean());
    }

    /// What pairs deliver, by the objective: where that is what a user sees, which the numbers do not change, tokens
    /// per
    /// second and device.
    public PairObjective delivery() {
        return problem.ranking().prefersFewRequests()
                ? new PairObjective(
                        new Objective.TokensPerSecondPerDevice(), objective().outputTokens())
                : objective();
    }

    private PdRatioSearch search() {
        return new PdRatioSearch(
                problem.demand().limits(),
                problem.demand().workload().outputs(),
                problem.available().most(),
                problem.ranking(),
                true);
    }
}
