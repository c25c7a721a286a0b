package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.OptimizationProblem.BatchPlan;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.search.RejectedCandidate;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.search.SearchPoint;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.LimitBreach;
import io.throughputoptimizer.core.serving.Serving;
import io.throughputoptimizer.core.serving.ServingOutcome;
import io.throughputoptimizer.core.serving.ServingOutcome.Infeasible;
import io.throughputoptimizer.core.serving.ServingPoint;
import io.throughputoptimizer.core.serving.SimulationAllowance;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What can be had at all in a phase: the points that no other one beats. A point beats another if it delivers at least
/// as many tokens per second with a TTFT and a TPOT that are no longer, and one of the three is better; of equal points
/// the first stays. All candidates of a phase take the same devices, so tokens per second and per device rank alike,
/// and tokens per second and user, `1000 / TPOT`, rank as TPOT does. Limits do not matter: what they cost is seen
/// beside them.
///
/// Batch sizes are tried one by one up to [#SINGLY], from there on each 1/1024 larger than the last, until one does
/// not fit in memory or the range ends; or, where steps are simulated, until a candidate has taken its share of
/// [Inquiry#MOST_STEPS].
///
/// @param objective may ask for some requests at once: points with fewer are left out
/// @param limits by which points are said to be within or beyond
/// @param allowance what the evaluation of one batch size may hold
record Frontier(
        Phase phase,
        BatchPlan batches,
        Objective objective,
        Limits limits,
        ForwardEstimator estimator,
        SimulationAllowance allowance) {
    private static final long SINGLY = 1024;

    /// Where a search without a range ends.
    private static final long LARGEST = 512L << 10;

    private static final Comparator<SearchPoint> BY_RATE = Comparator.comparingDouble(SearchPoint::tokensPerSecond)
            .reversed()
            .thenComparingDouble(point -> orInfinity(point.ttftMillis()))
            .thenComparingDouble(point -> orInfinity(point.tpotMillis()));

    /// What was found of all candidates.
    ///
    /// @param unbeaten by falling tokens per second
    /// @param least that each candidate reaches, by label; none of one that nothing was evaluated of
    /// @param untriedAbove batch size beyond which not all candidates were tried; absent where they were to their
    ///     end
    record Reached(
            List<SearchPoint> unbeaten,
            Map<String, Least> least,
            @Nullable Long untriedAbove) {}

    /// What was found of one candidate.
    ///
    /// @param least absent where nothing was evaluated
    /// @param untriedAbove absent where it was tried to its end
    record Tried(
            List<SearchPoint> points,
            @Nullable Least least,
            @Nullable Long untriedAbove) {}

    static Frontier of(RooflineQuestion question, Phase phase, ForwardEstimator estimator, Inquiry inquiry) {
        return new Frontier(
                phase,
                question.problem().search().batches(),
                question.objective().in(phase),
                question.limits().in(phase),
                inquiry.watched(estimator),
                inquiry.simulation());
    }

    Reached of(PhaseResult found, Inquiry inquiry) {
        List<SearchPoint> unbeaten = new ArrayList<>();
        Map<String, Least> reached = new HashMap<>();
        List<Candidate> candidates = candidates(found).toList();
        long steps = Inquiry.MOST_STEPS / Math.max(candidates.size(), 1);
        List<Long> ends = new ArrayList<>();
        candidates.forEach(candidate -> {
            Tried tried = tried(candidate, limits, inquiry, steps);
            if (tried.untriedAbove != null) {
                ends.add(tried.untriedAbove);
            }
            if (tried.least != null) {
                reached.put(candidate.label(), tried.least);
            }
            List<SearchPoint> points = new ArrayList<>(unbeaten);
            points.addAll(tried.points);
            unbeaten.clear();
            unbeaten.addAll(unbeaten(points));
        });
        return new Reached(
                List.copyOf(unbeaten),
                reached,
                ends.stream().min(Comparator.naturalOrder()).orElse(null));
    }

    /// Those that can be laid out.
    static Stream<Candidate> candidates(PhaseResult found) {
        return Stream.concat(
                found.rows().stream().map(ResultRow::candidate),
                found.rejected().stream()
                        .filter(rejected -> rejected.reason() != RejectedCandidate.Reason.MODEL)
                        .map(RejectedCandidate::candidate));
    }

    /// All points of a candidate, by batch size.
    ///
    /// @param own limits of the candidate by itself
    Tried tried(Candidate candidate, Limits own, Inquiry inquiry) {
        return tried(candidate, own, inquiry, Long.MAX_VALUE);
    }

    private Tried tried(Candidate candidate, Limits own, Inquiry inquiry, long mostSteps) {
        long before = inquiry.simulatedSteps();
        Serving serving = candidate.serving(phase, estimator, allowance);
        List<SearchPoint> points = new ArrayList<>();
        Least least = null;
        BatchRange range = batches.range();
        long last = range == null ? LARGEST : range.max();
        for (long batchSize = batches.least(objective, candidate.layout());
                batchSize <= last;
                batchSize += Math.max(1, batchSize / SINGLY)) {
            inquiry.countPoint();
            ServingOutcome outcome = ServingOutcome.of(serving.at(batchSize), own);
            if (outcome instanceof Infeasible(var _, LimitBreach.OutOfMemory _)) {
                least = least == null ? AmpleMemory.at(candidate, phase, batchSize, estimator, allowance) : least;
                break;
            }
            least = Least.of(least, least(batchSize, outcome.point()));
            points.add(SearchPoint.of(candidate, outcome));
            if (inquiry.simulatedSteps() - before >= mostSteps && batchSize < last) {
                return new Tried(points, least, batchSize);
            }
        }
        return new Tried(points, least, null);
    }

    private static Least least(long batchSize, ServingPoint point) {
        return Least.at(
                batchSize,
                point.figures().ttftMillis(),
                point.figures().tpotMillis(),
                point.costs().memory().peakBytes());
    }

    /// Sorted so, a point can be beaten by an earlier one only.
    private static List<SearchPoint> unbeaten(List<SearchPoint> points) {
        List<SearchPoint> kept = new ArrayList<>();
        points.stream().sorted(BY_RATE).forEach(point -> {
            if (kept.stream().noneMatch(better -> isNoWorse(better, point))) {
                kept.add(point);
            }
        });
        return kept;
    }

    private static boolean isNoWorse(SearchPoint one, SearchPoint other) {
        return one.tokensPerSecond() >= other.tokensPerSecond()
                && orInfinity(one.ttftMillis()) <= orInfinity(other.ttftMillis())
                && orInfinity(one.tpotMillis()) <= orInfinity(other.tpotMillis());
    }

    /// Of a latency that the phase does not have.
    private static double orInfinity(@Nullable Double millis) {
        return millis == null ? Double.POSITIVE_INFINITY : millis;
    }
}
