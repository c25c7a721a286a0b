package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.serving.Serving;
import io.throughputoptimizer.core.serving.ServingOutcome;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.ServiceObjective;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Rows of one candidate at batch sizes of the caller's choice, recorded as a search records them, each evaluated
/// once. Used by one thread.
public final class CandidateRows {
    private final Recorder recorder;
    private final ServiceObjective objective;
    private final SearchProgress progress;
    private final Serving serving;
    private final Map<Long, Optional<ResultRow>> known = new HashMap<>();

    CandidateRows(
            Candidate candidate,
            Phase phase,
            ServiceObjective limits,
            ForwardEstimator estimator,
            SearchProgress progress) {
        this.recorder = new Recorder(candidate);
        this.objective = limits.in(phase);
        this.progress = progress;
        this.serving = candidate.serving(
                phase,
                new RememberingEstimator(candidate.deployment(), progress.watch(estimator), progress),
                progress.simulation());
    }

    /// Empty where that many requests per data parallel rank do not fit or break a limit, in its rounded figures too.
    public Optional<ResultRow> at(long batchSize) {
        return known.computeIfAbsent(batchSize, this::evaluate);
    }

    private Optional<ResultRow> evaluate(long batchSize) {
        progress.failWhenCancelled();
        ServingOutcome outcome = ServingOutcome.of(serving.at(batchSize), objective);
        progress.pointEvaluated();
        return outcome instanceof ServingOutcome.Feasible(var point)
                ? Optional.of(recorder.row(point)).filter(row -> Ranking.keeps(row, objective))
                : Optional.empty();
    }

    /// Batch sizes that were evaluated.
    public long points() {
        return progress.points();
    }

    /// Forward passes that were asked for.
    public long forwardPasses() {
        return progress.forwardPasses();
    }

    /// Steps of simulations that were walked.
    public long simulatedSteps() {
        return progress.simulatedSteps();
    }
}
