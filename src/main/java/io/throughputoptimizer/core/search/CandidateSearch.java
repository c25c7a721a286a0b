package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.search.OptimizationProblem.BatchPlan;
import io.throughputoptimizer.core.serving.LimitBreach;
import io.throughputoptimizer.core.serving.Serving;
import io.throughputoptimizer.core.serving.ServingOutcome;
import io.throughputoptimizer.core.serving.ServingOutcome.Infeasible;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Searches the batch sizes of one layout. Used once, by one thread.
final class CandidateSearch {
    private final Deployment deployment;
    private final PhasePlan plan;
    private final BatchPlan batches;
    private final SearchProgress progress;
    private final Map<Long, ServingOutcome> outcomes = new TreeMap<>();

    CandidateSearch(Deployment deployment, PhasePlan plan, BatchPlan batches, SearchProgress progress) {
        this.deployment = deployment;
        this.plan = plan;
        this.batches = batches;
        this.progress = progress;
    }

    CandidateResult run(ForwardEstimator estimator) {
        progress.failWhenCancelled();
        Optional<String> obstacle = deployment.obstacle();
        CandidateResult result =
                obstacle.isPresent() ? impossible(obstacle.get()) : search(plan.serving(deployment, estimator));
        progress.candidateDone();
        return result;
    }

    private CandidateResult impossible(String obstacle) {
        RejectedCandidate rejection =
                new RejectedCandidate(deployment.layout(), RejectedCandidate.Reason.MODEL, null, obstacle);
        return new CandidateResult(List.of(), List.of(), rejection);
    }

    private CandidateResult search(Serving serving) {
        LongFunction<ServingOutcome> probe = batchSize -> probe(serving, batchSize);
        Recorder recorder = new Recorder(deployment.layout(), plan.terms());
        List<ResultRow> recorded = batches.strategy().search().run(probe, batches.range(), plan.objective()).stream()
                .map(recorder::row)
                .sorted(Comparator.comparingDouble(
                                (ResultRow row) -> row.figures().tokensPerSecond())
                        .thenComparingLong(ResultRow::batchSize))
                .toList();
        List<SearchPoint> points = outcomes.values().stream()
                .filter(CandidateSearch::fitsInMemory)
                .map(recorder::curvePoint)
                .toList();
        return new CandidateResult(recorded, points, rejection(recorded, probe));
    }

    /// Evaluates a batch size; one that was asked before costs nothing.
    private ServingOutcome probe(Serving serving, long batchSize) {
        ServingOutcome known = outcomes.get(batchSize);
        if (known != null) {
            return known;
        }
        progress.failWhenCancelled();
        ServingOutcome outcome = ServingOutcome.of(serving.at(batchSize), plan.objective());
        outcomes.put(batchSize, outcome);
        progress.pointEvaluated();
        return outcome;
    }

    private static boolean fitsInMemory(ServingOutcome outcome) {
        return !(outcome instanceof Infeasible infeasible && infeasible.breach() instanceof LimitBreach.OutOfMemory);
    }

    private @Nullable RejectedCandidate rejection(List<ResultRow> recorded, LongFunction<ServingOutcome> probe) {
        if (recorded.stream().anyMatch(row -> Ranking.keeps(row, plan.objective()))) {
            return null;
        }
        if (!recorded.isEmpty()) {
            return brokenByRounding(recorded);
        }
        BatchRange range = batches.range();
        long first = range == null ? 1 : range.min();
        return switch (probe.apply(first)) {
            case Infeasible infeasible -> RejectedCandidate.of(deployment.layout(), first, infeasible.breach());
            case ServingOutcome.Feasible _ ->
                new RejectedCandidate(
                        deployment.layout(),
                        RejectedCandidate.Reason.SEARCH,
                        first,
                        "batch size " + first + " keeps every limit, but the search recorded none: its estimate of the"
                                + " largest batch size fell too low");
        };
    }

    /// A limit finer than the 3 decimals of a row can be kept before rounding and broken after it.
    private RejectedCandidate brokenByRounding(List<ResultRow> recorded) {
        ResultRow smallest = recorded.stream()
                .min(Comparator.comparingLong(ResultRow::batchSize))
                .orElseThrow();
        LimitBreach breach = LimitBreach.latency(
                        smallest.figures().ttftMillis(), smallest.figures().tpotMillis(), plan.objective())
                .orElseThrow();
        return RejectedCandidate.of(deployment.layout(), smallest.batchSize(), breach);
    }
}
