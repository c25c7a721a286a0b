package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.search.space.KvTransferLink.Handover;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Prefill and decode operating points that can be combined: for each layout and size the batch size with the
/// most requests per second within the latency targets, the TTFT target reduced by the KV transfer.
///
/// Immutable and thread-safe.
public final class PairCandidates {
    private final OptimizationProblem problem;
    private final TransferAdjustedLimits handovers;

    PairCandidates(OptimizationProblem problem, TransferAdjustedLimits handovers) {
        this.problem = problem;
        this.handovers = handovers;
    }

    /// Returns the operating points of a problem in mode [ProblemOutline.SearchMode#PD_RATIO].
    public static PairCandidates of(OptimizationProblem problem, ForwardEstimator estimator) {
        return new PairCandidates(problem, TransferAdjustedLimits.of(problem, estimator));
    }

    /// Returns the sides that each prefill candidate offers to pairs.
    Collection<List<Side>> prefillOffers(PhaseResult found) {
        Limits limits = problem.demand().limits().in(Phase.PREFILL);
        return search().prefillOffers(handovers.kept(Phase.PREFILL, limits, found.recorded()));
    }

    /// Returns the sides that each decode candidate offers to pairs.
    Collection<List<Side>> decodeOffers(PhaseResult found) {
        return search().decodeOffers(found.recorded());
    }

    /// Returns both phases without the candidates that miss the end-to-end latency target with every partner.
    List<PhaseResult> together(
            PhaseResult prefill,
            Collection<List<Side>> prefillOffers,
            PhaseResult decode,
            Collection<List<Side>> decodeOffers) {
        EndToEndLatencyLimit answers = answers();
        return answers == null
                ? List.of(prefill, decode)
                : List.of(
                        answers.among(prefill, prefillOffers, decodeOffers),
                        answers.among(decode, decodeOffers, prefillOffers));
    }

    /// Returns the best side of each prefill candidate; none for candidates that miss a target.
    ///
    /// @param found result of a search of the problem for prefill
    public List<Side> prefill(PhaseResult found) {
        Limits limits = problem.demand().limits().in(Phase.PREFILL);
        return List.copyOf(search().bestPrefill(handovers.kept(Phase.PREFILL, limits, found.recorded())));
    }

    /// Returns the best side of each decode candidate; none for candidates that miss a target.
    ///
    /// @param found result of a search of the problem for decode
    public List<Side> decode(PhaseResult found) {
        return List.copyOf(search().bestDecode(found.recorded()));
    }

    /// Returns the message part for the end-to-end latency in one phase.
    public static String inPart(Phase phase) {
        return EndToEndLatencyLimit.inPart(phase);
    }

    /// Returns whether pairs share an end-to-end latency target.
    public boolean shareAnswers() {
        return problem.demand().limits().boundsAnswers();
    }

    /// Returns whether two sides meet the end-to-end latency target, if there is one.
    public boolean keep(Side prefill, Side decode) {
        EndToEndLatencyLimit answers = answers();
        return answers == null || answers.keeps(prefill, decode);
    }

    /// Returns the end-to-end latency.
    public double answerMillis(Side prefill, Side decode) {
        return new EndToEndLatencyLimit(0, decoded(), handovers).millis(prefill, decode);
    }

    /// Returns the part of the end-to-end latency outside a phase: the transfer and the partner's part.
    ///
    /// @param partner side of the other phase
    public double besideMillis(Phase phase, Side partner) {
        return phase == Phase.DECODE
                ? ttftMillis(partner)
                : transferMillis(partner) + decoded() * partner.latencyMillis();
    }

    private double transferMillis(Side side) {
        Handover handover = handovers.of(side.candidate());
        return handover == null ? 0 : handover.millis();
    }

    private double decoded() {
        return EndToEndLatencyLimit.decoded(problem.demand().workload().outputs());
    }

    private @Nullable EndToEndLatencyLimit answers() {
        return EndToEndLatencyLimit.of(
                problem.demand().limits(), problem.demand().workload().outputs(), handovers);
    }

    /// Returns the KV transfer of a request; absent if it takes no time.
    public @Nullable Handover handover(Candidate candidate) {
        return handovers.of(candidate);
    }

    /// Returns the TTFT of a prefill side including the transfer.
    public double ttftMillis(Side prefill) {
        return prefill.latencyMillis() + transferMillis(prefill);
    }

    /// Returns the targets of a phase alone for a candidate; empty if the transfer alone exceeds the TTFT
    /// target.
    public Optional<Limits> limits(Phase phase, Candidate candidate) {
        return handovers.limits(phase, problem.demand().limits().in(phase), candidate);
    }

    /// Returns the message part for a TTFT that leaves the transfer out; empty if the transfer takes no time.
    public String besideTransfer(Candidate candidate) {
        Handover handover = handovers.of(candidate);
        return handover == null ? "" : TransferAdjustedLimits.beside(handover);
    }

    /// Returns the side of a point of a prefill or decode search; empty without a positive latency and rate.
    public Optional<Side> side(SearchPoint point) {
        return search().side(point);
    }

    /// Returns two sides in their best instance counts; empty if the devices do not hold one of each.
    public Optional<PdRatioRow> together(Side prefill, Side decode) {
        return new PairRanking(objective(), handovers, problem.available())
                .best(new PairCounts(
                        prefill, decode, new Kinds(prefill.device(), decode.device()), problem.available()));
    }

    /// Returns the objective that decides instance counts.
    PairObjective objective() {
        return new PairObjective(
                problem.ranking(), problem.demand().workload().outputs().mean());
    }

    /// Returns the objective for the throughput of pairs. The user rate does not depend on counts, so tokens
    /// per second and device replace it.
    public PairObjective delivery() {
        return problem.ranking().prefersFewRequests()
                ? new PairObjective(
                        new Objective.TokensPerSecondPerDevice(), objective().outputTokens())
                : objective();
    }

    /// Returns the search that combines sides.
    PdRatioSearch search() {
        return new PdRatioSearch(
                problem.demand().limits(),
                problem.demand().workload().outputs(),
                problem.available().most(),
                problem.ranking(),
                true);
    }
}
