package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.search.OptimizationProblem.BatchPlan;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.space.Candidate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Search of one candidate, with one token budget after another until prefill has enough memory for the
/// smallest batch size. Used once, by one thread.
///
/// @param fallbacks token budgets to try after that of the candidate
record CandidateSearch(
        Candidate candidate, PhasePlan plan, List<Integer> fallbacks, BatchPlan batches, SearchProgress progress) {

    /// Result of the search of one candidate.
    ///
    /// @param recorded rows by ascending throughput, then batch size
    /// @param points memory-feasible probes by batch size, thinned if there are many
    /// @param omittedPoints number of points that thinning dropped
    /// @param rejection reason why no row can compete; absent if one can
    record Found(
            List<ResultRow> recorded,
            List<SearchPoint> points,
            long omittedPoints,
            @Nullable RejectedCandidate rejection) {
        Found {
            recorded = List.copyOf(recorded);
            points = List.copyOf(points);
        }

        /// Returns the result of a candidate that was not searched.
        static Found nothing(RejectedCandidate rejection) {
            return new Found(List.of(), List.of(), 0, rejection);
        }
    }

    Found run(ForwardEstimator estimator) {
        progress.failWhenCancelled();
        Optional<Obstacle> obstacle = candidate.deployment().obstacle();
        BatchRange range = batches.range();
        long least = batches.least(plan.objective(), candidate.layout());
        Found result = obstacle.isPresent()
                ? impossible(RejectedCandidate.Reason.MODEL, obstacle.get().reason())
                : range != null && least > range.max()
                        ? impossible(
                                RejectedCandidate.Reason.BATCH_RANGE,
                                "batch_range ends at " + range.max() + ": batch size " + least
                                        + " serves the least concurrency of "
                                        + plan.objective().leastConcurrency())
                        : search(new RememberingEstimator(candidate.deployment(), estimator, progress));
        progress.candidateDone();
        return result;
    }

    private Found impossible(RejectedCandidate.Reason reason, String detail) {
        return Found.nothing(new RejectedCandidate(candidate, reason, null, detail, null));
    }

    private Found search(ForwardEstimator estimator) {
        Candidate attempt = candidate;
        for (int fallback : fallbacks) {
            BudgetSearch search = budgetSearch(attempt);
            Found result = search.run(attempt.serving(plan.phase(), estimator, progress.simulation()));
            if (!result.recorded().isEmpty() || !search.ranOutOfPrefillMemory()) {
                return result;
            }
            attempt = candidate.withTokenBudget(fallback);
        }
        return budgetSearch(attempt).run(attempt.serving(plan.phase(), estimator, progress.simulation()));
    }

    private BudgetSearch budgetSearch(Candidate attempt) {
        return new BudgetSearch(plan, batches, new Recorder(attempt), progress);
    }
}
