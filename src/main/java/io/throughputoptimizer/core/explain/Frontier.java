package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.explain.Binding.BestReachable;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.MemoryFootprint;
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

/// The Pareto frontier of a phase in tokens per second, TTFT and TPOT. Of equal points, the first stays. All
/// candidates of a phase use the same devices, so tokens per second and tokens per second per device rank
/// alike, and tokens per second per user, `1000 / TPOT`, ranks as TPOT does. Points beyond the limits are
/// included, to show the cost of the limits.
///
/// Every batch size is tried up to [#SINGLY]; above it each is 1/1024 larger than the last, until memory or the
/// range is exhausted. With simulated steps, a candidate also stops when it has used its share of
/// [ExplanationSearch#MOST_STEPS].
///
/// @param objective objective; points below its minimum concurrency are left out
/// @param limits limits that points are compared with
/// @param allowance memory budget for the evaluation of one batch size
record Frontier(
        Phase phase,
        BatchPlan batches,
        Objective objective,
        Limits limits,
        ForwardEstimator estimator,
        SimulationAllowance allowance) {
    private static final long SINGLY = 1024;

    /// Largest batch size of a search without a range.
    private static final long LARGEST = 512L << 10;

    private static final Comparator<SearchPoint> BY_RATE = Comparator.comparingDouble(
                    (SearchPoint point) -> point.figures().tokensPerSecond())
            .reversed()
            .thenComparingDouble(point -> orInfinity(point.figures().ttftMillis()))
            .thenComparingDouble(point -> orInfinity(point.figures().tpotMillis()));

    /// Results of all candidates.
    ///
    /// @param unbeaten Pareto frontier by descending tokens per second
    /// @param least best achievable figures by candidate label; no entry if no load was evaluated
    /// @param untriedAbove batch size above which some candidates were not tried; null if all were tried
    ///     completely
    record Reached(
            List<SearchPoint> unbeaten,
            Map<String, BestReachable> least,
            @Nullable Long untriedAbove) {}

    /// Results of one candidate.
    ///
    /// @param least null if no load was evaluated
    /// @param untriedAbove last batch size tried; null if the candidate was tried completely
    record Tried(
            List<SearchPoint> points,
            @Nullable BestReachable least,
            @Nullable Long untriedAbove) {}

    static Frontier of(RooflineQuestion question, Phase phase, ForwardEstimator estimator, ExplanationSearch inquiry) {
        return new Frontier(
                phase,
                question.problem().search().batches(),
                question.objective().in(phase),
                question.limits().in(phase),
                inquiry.watched(estimator),
                inquiry.simulation());
    }

    Reached of(PhaseResult found, ExplanationSearch inquiry) {
        List<SearchPoint> unbeaten = new ArrayList<>();
        Map<String, BestReachable> reached = new HashMap<>();
        List<Candidate> candidates = candidates(found).toList();
        long steps = ExplanationSearch.MOST_STEPS / Math.max(candidates.size(), 1);
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

    /// Returns the candidates of a phase whose layout the model supports.
    static Stream<Candidate> candidates(PhaseResult found) {
        return Stream.concat(
                found.rows().stream().map(ResultRow::candidate),
                found.rejected().stream()
                        .filter(rejected -> rejected.reason() != RejectedCandidate.Reason.MODEL)
                        .map(RejectedCandidate::candidate));
    }

    /// Returns all points of a candidate by batch size.
    ///
    /// @param own limits of the candidate's phase
    Tried tried(Candidate candidate, Limits own, ExplanationSearch inquiry) {
        return tried(candidate, own, inquiry, Long.MAX_VALUE);
    }

    private Tried tried(Candidate candidate, Limits own, ExplanationSearch inquiry, long mostSteps) {
        long before = inquiry.simulatedSteps();
        Serving serving = candidate.serving(phase, estimator, allowance);
        List<SearchPoint> points = new ArrayList<>();
        BestReachable least = null;
        BatchRange range = batches.range();
        long last = range == null ? LARGEST : range.max();
        for (long batchSize = batches.least(objective, candidate.layout());
                batchSize <= last;
                batchSize += Math.max(1, batchSize / SINGLY)) {
            inquiry.countPoint();
            ServingOutcome outcome = ServingOutcome.of(serving.at(batchSize), own);
            if (outcome instanceof Infeasible(var _, LimitBreach.OutOfMemory _)) {
                least = least == null
                        ? UnboundedMemoryEstimator.at(candidate, phase, batchSize, estimator, allowance)
                        : least;
                break;
            }
            least = BestReachable.of(least, least(batchSize, outcome.point()));
            points.add(SearchPoint.of(candidate, outcome));
            if (inquiry.simulatedSteps() - before >= mostSteps && batchSize < last) {
                return new Tried(points, least, batchSize);
            }
        }
        return new Tried(points, least, null);
    }

    private static BestReachable least(long batchSize, ServingPoint point) {
        return BestReachable.at(
                batchSize,
                point.figures().ttftMillis(),
                point.figures().tpotMillis(),
                point.costs().memory().peakBytes());
    }

    /// Removes dominated points. In this order a point can be dominated only by an earlier one.
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
        return one.figures().tokensPerSecond() >= other.figures().tokensPerSecond()
                && orInfinity(one.figures().ttftMillis())
                        <= orInfinity(other.figures().ttftMillis())
                && orInfinity(one.figures().tpotMillis())
                        <= orInfinity(other.figures().tpotMillis());
    }

    private static double orInfinity(@Nullable Double millis) {
        return millis == null ? Double.POSITIVE_INFINITY : millis;
    }

    /// Estimates passes as if devices had [#TIMES] the memory, and records the peak memory of any pass. An
    /// evaluation stops at the first pass that does not fit, so latencies of layouts that exceed memory are
    /// evaluated here. Not thread-safe; one instance per batch size.
    static final class UnboundedMemoryEstimator implements ForwardEstimator {
        private static final double TIMES = 256;

        private final ForwardEstimator estimator;
        private double peakBytes;

        private UnboundedMemoryEstimator(ForwardEstimator estimator) {
            this.estimator = estimator;
        }

        /// Returns the figures of a candidate at a batch size, or null if even the enlarged memory is too small.
        static @Nullable BestReachable at(
                Candidate candidate,
                Phase phase,
                long batchSize,
                ForwardEstimator estimator,
                SimulationAllowance allowance) {
            UnboundedMemoryEstimator ample = new UnboundedMemoryEstimator(estimator);
            ServingPoint point = candidate.serving(phase, ample, allowance).at(batchSize);
            return point.costs().memory().availableBytes() < 0
                    ? null
                    : BestReachable.at(
                            batchSize,
                            point.figures().ttftMillis(),
                            point.figures().tpotMillis(),
                            ample.peakBytes);
        }

        @Override
        public ForwardEstimate estimate(Deployment deployment, ForwardShape shape) {
            ForwardEstimate pass = estimator.estimate(deployment, shape);
            MemoryFootprint memory = pass.memory();
            peakBytes = Math.max(peakBytes, memory.peakBytes());
            return new ForwardEstimate(
                    pass.latencyMillis(),
                    pass.breakdown(),
                    new MemoryFootprint(
                            TIMES * memory.capacityBytes(),
                            memory.reservedBytes(),
                            memory.weightBytes(),
                            memory.kvCacheBytes(),
                            memory.kvCacheBytesPerToken(),
                            memory.stateBytes(),
                            memory.activationBytes(),
                            memory.adjusted(),
                            memory.exact()));
        }
    }
}
