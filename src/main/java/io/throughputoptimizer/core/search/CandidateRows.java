package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.Serving;
import io.throughputoptimizer.core.serving.ServingOutcome;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Rows of one candidate at batch sizes of the caller's choice, recorded as a search records them, each evaluated
/// once. They and the estimates they are made of are kept at the cost of the search's allowance. Used by one thread.
public final class CandidateRows {
    private final Recorder recorder;
    private final Limits limits;
    private final SearchProgress progress;
    private final RememberingEstimator estimates;
    private final Serving serving;
    private final Map<Long, Optional<ResultRow>> known = new HashMap<>();

    CandidateRows(
            Candidate candidate, Phase phase, Limits limits, ForwardEstimator estimator, SearchProgress progress) {
        this.recorder = new Recorder(candidate);
        this.limits = limits.in(phase);
        this.progress = progress;
        this.estimates = new RememberingEstimator(candidate.deployment(), progress.watch(estimator), progress);
        this.serving = candidate.serving(phase, estimates, progress.simulation());
        progress.allowance().take(MemoryBudget.CANDIDATE_BYTES);
    }

    /// Returns the row of a batch size; empty if it does not fit in memory or misses a target, also in its
    /// rounded figures.
    ///
    /// @throws SearchMemoryException if the search exceeds its memory budget
    public Optional<ResultRow> at(long batchSize) {
        return known.computeIfAbsent(batchSize, this::evaluate);
    }

    /// Takes a row of a batch size that a search recorded within the limits, so that it need not be evaluated again.
    public void know(ResultRow recorded) {
        known.put(recorded.batchSize(), Optional.of(recorded));
    }

    private Optional<ResultRow> evaluate(long batchSize) {
        progress.failWhenCancelled();
        int remembered = estimates.remembered();
        ServingOutcome outcome = ServingOutcome.of(serving.at(batchSize), limits);
        progress.pointEvaluated();
        progress.allowance().take(RememberingEstimator.PASS_BYTES * (estimates.remembered() - remembered));
        Optional<ResultRow> row = outcome instanceof ServingOutcome.Feasible(var point)
                ? Optional.of(recorder.row(point)).filter(one -> Ranking.keeps(one, limits))
                : Optional.empty();
        row.ifPresent(progress.allowance()::takeUnlisted);
        return row;
    }

    /// Returns the number of batch sizes evaluated.
    public long points() {
        return progress.points();
    }

    /// Returns the number of forward passes requested.
    public long forwardPasses() {
        return progress.forwardPasses();
    }

    /// Steps of simulations that were walked.
    public long simulatedSteps() {
        return progress.simulatedSteps();
    }
}
