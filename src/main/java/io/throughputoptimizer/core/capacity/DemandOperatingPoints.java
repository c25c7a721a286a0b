package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.search.CandidateRows;
import io.throughputoptimizer.core.search.MemoryBudget;
import io.throughputoptimizer.core.search.OptimizationProblem.BatchPlan;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.TransferAdjustedLimits;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.batch.BatchStrategy;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.search.space.KvTransferLink.Handover;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Operating points of instances at their share of the demand. Not thread-safe.
///
/// An instance is shown at the smallest batch size tried that meets the limits and serves its share. It is
/// found by bisection below the batch size of the peak, so the next smaller one does not serve the share;
/// [BatchStrategy#EXHAUSTIVE] tries all from the smallest.
final class DemandOperatingPoints {
    private final Optimizer optimizer;
    private final Limits limits;
    private final TransferAdjustedLimits handovers;
    private final BatchPlan batches;
    private final SearchMonitor monitor;
    private final MemoryBudget allowance;
    private final Map<Key, CandidateRows> rows = new HashMap<>();
    private final Map<Key, List<Peak>> searched;

    private record Key(Candidate candidate, Phase phase) {
        private static Key of(Peak peak) {
            return new Key(peak.candidate(), peak.phase());
        }
    }

    /// @param searched instances at batch sizes that are already evaluated
    /// @param handovers limits adjusted for KV transfers
    /// @param allowance memory budget
    DemandOperatingPoints(
            Optimizer optimizer,
            List<Peak> searched,
            Limits limits,
            TransferAdjustedLimits handovers,
            BatchPlan batches,
            SearchMonitor monitor,
            MemoryBudget allowance) {
        this.optimizer = optimizer;
        this.limits = limits;
        this.handovers = handovers;
        this.batches = batches;
        this.monitor = monitor;
        this.allowance = allowance;
        this.searched = limits.boundsAnswers()
                ? searched.stream()
                        .filter(peak -> peak.phase() != Phase.AGGREGATION)
                        .collect(Collectors.groupingBy(Key::of))
                : Map.of();
    }

    /// @param share share of one instance; at most its peak
    /// @param unit unit of the share
    ResultRow at(Peak peak, Ratio share, Unit unit) {
        CandidateRows tried = rows.computeIfAbsent(Key.of(peak), this::rows);
        BatchRange range = batches.range();
        long least = range == null ? 1 : range.min();
        if (unit == Unit.CONCURRENCY) {
            least = Math.max(
                    least, share.dividedBy(peak.candidate().layout().dp()).ceiling());
        }
        return batches.strategy() == BatchStrategy.EXHAUSTIVE
                ? scan(peak, tried, share, unit, least)
                : bisect(peak, tried, share, unit, least);
    }

    private CandidateRows rows(Key key) {
        CandidateRows tried = optimizer.rows(
                key.candidate,
                key.phase,
                handovers.limits(key.phase, limits, key.candidate).orElseThrow(),
                monitor,
                allowance);
        searched.getOrDefault(key, List.of()).forEach(peak -> tried.know(peak.row()));
        return tried;
    }

    private ResultRow scan(Peak peak, CandidateRows tried, Ratio share, Unit unit, long least) {
        for (long batch = least; batch < peak.row().batchSize(); batch++) {
            Optional<ResultRow> row = serving(peak, tried.at(batch), share, unit);
            if (row.isPresent()) {
                return row.get();
            }
        }
        return peak.row();
    }

    private ResultRow bisect(Peak peak, CandidateRows tried, Ratio share, Unit unit, long least) {
        long below = least - 1;
        ResultRow best = peak.row();
        long next = least;
        while (best.batchSize() - below > 1) {
            Optional<ResultRow> row = serving(peak, tried.at(next), share, unit);
            if (row.isPresent()) {
                best = row.get();
            } else {
                below = next;
            }
            next = below + (best.batchSize() - below) / 2;
        }
        return best;
    }

    private Optional<ResultRow> serving(Peak peak, Optional<ResultRow> row, Ratio share, Unit unit) {
        return row.filter(one -> one.figures().tokensPerSecond() > 0)
                .filter(one -> peak.served(one, unit).compareTo(share) >= 0)
                .filter(one -> isInTime(peak, one))
                .map(one -> one.withBinds(Set.of(BindingLimit.DEMAND)));
    }

    /// Returns whether the latency is at most that of the peak, since the other phase uses the rest of the
    /// end-to-end limit.
    private boolean isInTime(Peak peak, ResultRow load) {
        return peak.phase() == Phase.AGGREGATION
                || !limits.boundsAnswers()
                || peak.latencyMillis(load) <= peak.latencyMillis();
    }

    /// @throws java.util.concurrent.CancellationException if the monitor canceled the work
    void failWhenCancelled() {
        monitor.failWhenCancelled();
    }

    /// Returns the KV transfer of a request to a decode instance, or null if it takes no time.
    @Nullable
    Handover handover(Peak decode) {
        return handovers.of(decode.candidate());
    }

    long points() {
        return rows.values().stream().mapToLong(CandidateRows::points).sum();
    }

    long forwardPasses() {
        return rows.values().stream().mapToLong(CandidateRows::forwardPasses).sum();
    }

    long simulatedSteps() {
        return rows.values().stream().mapToLong(CandidateRows::simulatedSteps).sum();
    }
}
