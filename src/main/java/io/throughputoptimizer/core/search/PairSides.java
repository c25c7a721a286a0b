package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.search.space.KvTransfer.Handover;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import java.util.Collection;
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

    /// What each candidate for prefill offers to pairs.
    Collection<List<Side>> prefillOffers(PhaseResult found) {
        Limits limits = problem.demand().limits().in(Phase.PREFILL);
        return search().prefillOffers(handovers.kept(Phase.PREFILL, limits, found.recorded()));
    }

    /// What each candidate for decode offers to pairs.
    Collection<List<Side>> decodeOffers(PhaseResult found) {
        return search().decodeOffers(found.recorded());
    }

    /// Both phases without the candidates that are too slow for all others under a limit on whole answers.
    List<PhaseResult> together(
            PhaseResult prefill,
            Collection<List<Side>> prefillOffers,
            PhaseResult decode,
            Collection<List<Side>> decodeOffers) {
        WholeAnswers answers = answers();
        return answers == null
                ? List.of(prefill, decode)
                : List.of(
                        answers.among(prefill, prefillOffers, decodeOffers),
                        answers.among(decode, decodeOffers, prefillOffers));
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

    /// What to say of the time of an answer in one kind of instance.
    public static String inPart(Phase phase) {
        return WholeAnswers.inPart(phase);
    }

    /// Whether pairs keep a limit on whole answers together.
    public boolean shareAnswers() {
        return problem.demand().limits().boundsAnswers();
    }

    /// Whether two sides keep the limit on whole answers, if there is one.
    public boolean keep(Side prefill, Side decode) {
        WholeAnswers answers = answers();
        return answers == null || answers.keeps(prefill, decode);
    }

    /// Time of a whole answer.
    public double answerMillis(Side prefill, Side decode) {
        return new WholeAnswers(0, decoded(), handovers).millis(prefill, decode);
    }

    /// Of the time of a whole answer what instances of a phase do not make: the transfer and the part of others.
    ///
    /// @param partner of the other phase
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
        return WholeAnswers.decoded(problem.demand().workload().outputs());
    }

    private @Nullable WholeAnswers answers() {
        return WholeAnswers.of(
                problem.demand().limits(), problem.demand().workload().outputs(), handovers);
    }

    /// What a request hands over; absent where that takes no time.
    public @Nullable Handover handover(Candidate candidate) {
        return handovers.of(candidate);
    }

    /// Time to first token of a prefill side and the transfer.
    public double ttftMillis(Side prefill) {
        return prefill.latencyMillis() + transferMillis(prefill);
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

    /// What pairs deliver, by the objective: where that is what a user sees, which the numbers do not change,
    /// tokens per second and device.
    public PairObjective delivery() {
        return problem.ranking().prefersFewRequests()
                ? new PairObjective(
                        new Objective.TokensPerSecondPerDevice(), objective().outputTokens())
                : objective();
    }

    /// What combines sides.
    PdRatioSearch search() {
        return new PdRatioSearch(
                problem.demand().limits(),
                problem.demand().workload().outputs(),
                problem.available().most(),
                problem.ranking(),
                true);
    }
}
