package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Optimizer of serving layouts and batch sizes: finds those that meet the latency targets, and ranks them by
/// throughput.
///
/// Immutable and thread-safe; searches may run in parallel. Results are deterministic, independent of the
/// number of threads.
public final class Optimizer {
    private final ForwardEstimator estimator;
    private final Workers workers;
    private final long memoryBytes;

    /// Creates an optimizer with a limit on the memory that each search retains for rows, points and rejected
    /// layouts.
    public Optimizer(ForwardEstimator estimator, Executor helpers, int parallelism, long memoryBytes) {
        this.estimator = estimator;
        this.workers = new Workers(helpers, parallelism);
        this.memoryBytes = memoryBytes;
    }

    /// Creates an optimizer that uses the calling thread only.
    public Optimizer(ForwardEstimator estimator) {
        this(estimator, Workers.ALONE.helpers(), Workers.ALONE.parallelism(), Long.MAX_VALUE);
    }

    /// Returns the threads of a search, for other searches to share.
    public Workers workers() {
        return workers;
    }

    /// Returns rows of a candidate at batch sizes of the caller's choice.
    ///
    /// @param limits latency targets; only those of the phase apply
    /// @param allowance memory budget of the search that the rows belong to
    public CandidateRows rows(
            Candidate candidate, Phase phase, Limits limits, SearchMonitor monitor, MemoryBudget allowance) {
        return new CandidateRows(candidate, phase, limits, estimator, new SearchProgress(monitor, allowance));
    }

    /// Returns the latency targets reduced by KV transfers.
    ///
    /// @param transfer link between prefill and decode; absent if a transfer takes no time
    public TransferAdjustedLimits handovers(@Nullable KvTransferLink transfer) {
        return TransferAdjustedLimits.of(transfer, estimator);
    }

    /// Creates a memory budget for one search or one single-point evaluation.
    public MemoryBudget allowance() {
        return new MemoryBudget(memoryBytes, 0);
    }

    /// Searches every kind of device in turn. If nothing is feasible, the result has the reason for every
    /// layout.
    ///
    /// @throws SearchMemoryException if the search exceeds its memory budget
    /// @throws java.util.concurrent.CancellationException soon after the monitor cancels the search
    public OptimizationResult optimize(OptimizationProblem problem, SearchMonitor monitor) {
        return optimize(problem, monitor, allowance());
    }

    /// Searches as a part of a larger search, which retains no more of the result than it reserves from its
    /// budget.
    ///
    /// @param whole memory budget of the larger search
    /// @throws SearchMemoryException if both exceed the budget of one search
    /// @throws java.util.concurrent.CancellationException soon after the monitor cancels the search
    public OptimizationResult optimize(OptimizationProblem problem, SearchMonitor monitor, MemoryBudget whole) {
        return new SearchRun(problem, estimator, monitor, whole.ofPart()).run(workers);
    }
}
