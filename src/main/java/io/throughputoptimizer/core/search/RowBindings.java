package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.OptimizationProblem.BatchPlan;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.LimitBreach;
import io.throughputoptimizer.core.serving.ServingPoint;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Limiting constraints of one candidate's rows, derived from the batch sizes that its search tried: no further
/// batch size is evaluated. Used by one thread.
final class RowBindings {
    /// Number of batch sizes that are always retained. Searches that try more try them in order.
    private static final int MOST = 1024;

    private final Candidate candidate;
    private final PhasePlan plan;
    private final BatchPlan batches;
    private final TreeMap<Long, Tried> tried = new TreeMap<>();

    private record Tried(double tokensPerSecond, Set<BindingLimit> broken) {}

    /// Creates an empty record.
    ///
    /// @param plan plan with the targets of the candidate alone
    RowBindings(Candidate candidate, PhasePlan plan, BatchPlan batches) {
        this.candidate = candidate;
        this.plan = plan;
        this.batches = batches;
    }

    void add(ServingPoint point) {
        Set<BindingLimit> broken = LimitBreach.all(point, plan.limits()).stream()
                .map(BindingLimit::of)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(BindingLimit.class)));
        tried.put(point.load().batchSize(), new Tried(point.figures().tokensPerSecond(), broken));
    }

    /// Returns whether enough batch sizes are retained to settle rows ([#settled]).
    boolean isFull() {
        return tried.size() > MOST;
    }

    /// Drops all but the given batch sizes and the largest.
    void keep(Set<Long> batchSizes) {
        long last = tried.lastKey();
        tried.keySet().removeIf(batchSize -> batchSize != last && !batchSizes.contains(batchSize));
    }

    /// Returns a row with its limiting constraints, if the next batch size was tried.
    ResultRow settled(ResultRow row) {
        return row.binds().isEmpty() && tried.containsKey(row.batchSize() + 1) ? row.withBinds(ofMore(row)) : row;
    }

    /// Returns all recorded rows with their limiting constraints: for objectives that prefer fewer requests the
    /// best row with the constraint on a lower concurrency.
    List<ResultRow> bound(List<ResultRow> recorded) {
        Objective objective = plan.objective();
        double best = objective.prefersFewRequests()
                ? recorded.stream().mapToDouble(this::order).min().orElse(Double.NaN)
                : Double.NaN;
        return recorded.stream()
                .map(row -> order(row) <= best
                        ? row.withBinds(ofFewer(row.batchSize()))
                        : row.binds().isEmpty() ? row.withBinds(ofMore(row)) : row)
                .toList();
    }

    private double order(ResultRow row) {
        return plan.objective().order(Objective.Delivered.of(row));
    }

    private Set<BindingLimit> ofFewer(long batchSize) {
        Objective objective = plan.objective();
        return Set.of(BindingLimit.ofFewer(
                batchSize,
                batches.least(objective, candidate.layout()),
                candidate.layout().dp(),
                objective.leastConcurrency()));
    }

    private Set<BindingLimit> ofMore(ResultRow row) {
        long batchSize = row.batchSize();
        BatchRange range = batches.range();
        if (range != null && batchSize == range.max()) {
            return Set.of(BindingLimit.BATCH_RANGE);
        }
        Tried next = tried.get(batchSize + 1);
        if (next != null && !next.broken.isEmpty()) {
            return next.broken;
        }
        Tried own = tried.get(batchSize);
        double rate = own == null ? row.figures().tokensPerSecond() : own.tokensPerSecond;
        Collection<Tried> beyond =
                next == null ? tried.tailMap(batchSize, false).values() : List.of(next);
        List<Tried> kept = beyond.stream().filter(one -> one.broken.isEmpty()).toList();
        boolean more = kept.stream()
                .anyMatch(one -> Plateau.isMore(
                        one.tokensPerSecond, rate, candidate.terms().accounting()));
        return Set.of(kept.isEmpty() || more ? BindingLimit.SEARCH : BindingLimit.THROUGHPUT);
    }
}
