package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.search.OptimizationProblem.BatchPlan;
import io.throughputoptimizer.core.serving.ServingTerms;
import java.util.List;
import java.util.Optional;

/// Searches one layout, with one token budget after another until prefill has enough memory for the smallest batch
/// size (batch search, automatic token budget). Used once, by one thread.
///
/// @param terms what is served, with the budgets in the order in which they are tried
record CandidateSearch(
        Deployment deployment, PhasePlan plan, List<ServingTerms> terms, BatchPlan batches, SearchProgress progress) {

    CandidateResult run(ForwardEstimator estimator) {
        progress.failWhenCancelled();
        Optional<Obstacle> obstacle = deployment.obstacle();
        CandidateResult result = obstacle.isPresent()
                ? impossible(obstacle.get())
                : search(new RememberingEstimator(deployment, estimator, progress));
        progress.candidateDone();
        return result;
    }

    private CandidateResult impossible(Obstacle obstacle) {
        RejectedCandidate rejection =
                new RejectedCandidate(deployment.layout(), RejectedCandidate.Reason.MODEL, null, obstacle.reason());
        return new CandidateResult(List.of(), List.of(), 0, rejection);
    }

    private CandidateResult search(ForwardEstimator estimator) {
        CandidateResult result = CandidateResult.NONE;
        for (ServingTerms attempt : terms) {
            BudgetSearch search = new BudgetSearch(plan, batches, new Recorder(deployment.layout(), attempt), progress);
            result = search.run(plan.serving(deployment, attempt, estimator, progress.allowance()));
            if (!result.recorded().isEmpty() || !search.ranOutOfPrefillMemory()) {
                break;
            }
        }
        return result;
    }
}
