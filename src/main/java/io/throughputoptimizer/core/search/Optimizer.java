package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.search.space.KvTransfer;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Finds out how to serve a workload: which layouts and batch sizes keep the limits, and which deliver most.
///
/// Immutable and thread-safe; searches may run side by side. The same problem gives the same result, however many
/// threads help.
public final class Optimizer {
    private final ForwardEstimator estimator;
    private final Workers workers;
    private final long memoryBytes;

    /// An optimizer that tries candidate layouts side by side. The thread that calls [#optimize] works along, so
    /// that a busy, full or shut down executor cannot block a search.
    ///
    /// @param helpers lends threads to a search; may be the pool that calls [#optimize]
    /// @param parallelism most candidates of one search at a time
    public Optimizer(ForwardEstimator estimator, Executor helpers, int parallelism) {
        this(estimator, helpers, parallelism, Long.MAX_VALUE);
    }

    /// The same with a bound on what each search may keep of rows, points and rejected layouts.
    public Optimizer(ForwardEstimator estimator, Executor helpers, int parallelism, long memoryBytes) {
        this.estimator = estimator;
        this.workers = new Workers(helpers, parallelism);
        this.memoryBytes = memoryBytes;
    }

    /// An optimizer that uses the calling thread only.
    public Optimizer(ForwardEstimator estimator) {
        this(estimator, Workers.ALONE.helpers(), Workers.ALONE.parallelism());
    }

    /// Who works on a search, for those that price passes otherwise.
    public Workers workers() {
        return workers;
    }

    /// Rows of a candidate at batch sizes of the caller's choice.
    ///
    /// @param limits of which those of the phase count
    /// @param allowance of the search that they are rows of
    public CandidateRows rows(
            Candidate candidate, Phase phase, Limits limits, SearchMonitor monitor, Allowance allowance) {
        return new CandidateRows(candidate, phase, limits, estimator, new SearchProgress(monitor, allowance));
    }

    /// What transfers of caches take of a limit on TTFT.
    ///
    /// @param transfer absent where prefill hands over in no time
    public HandoverLimit handovers(@Nullable KvTransfer transfer) {
        return HandoverLimit.of(transfer, estimator);
    }

    /// What a search of several parts may keep, or where others than a search ask for it the evaluation of one batch
    /// size.
    public Allowance allowance() {
        return new Allowance(memoryBytes);
    }

    /// Searches every kind of device in turn. A search that finds nothing feasible is a result, which says why for
    /// every layout.
    ///
    /// @throws SearchMemoryException when the search would keep more than it may
    /// @throws java.util.concurrent.CancellationException soon after the monitor asked for it
    public OptimizationResult optimize(OptimizationProblem problem, SearchMonitor monitor) {
        return optimize(problem, monitor, allowance());
    }

    /// The same as a part of a larger search, which keeps no more of the result than it takes of its allowance.
    ///
    /// @param whole of the larger search
    /// @throws SearchMemoryException when both would keep more than one search may
    /// @throws java.util.concurrent.CancellationException soon after the monitor asked for it
    public OptimizationResult optimize(OptimizationProblem problem, SearchMonitor monitor, Allowance whole) {
        return new SearchRun(problem, estimator, monitor, whole.ofPart()).run(workers);
    }
}
