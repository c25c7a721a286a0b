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

/// What keeps rows of one candidate from a larger batch size, as far as the batch sizes that its search tried tell:
/// nothing is evaluated for it. Used by one thread.
final class RowBindings {
    /// Batch sizes that are kept in any case. Searches that try more try one after the other.
    private static final int MOST = 1024;

    private final Candidate candidate;
    private final PhasePlan plan;
    private final BatchPlan batches;
    private final TreeMap<Long, Tried> tried = new TreeMap<>();

    private record Tried(double tokensPerSecond, Set<BindingLimit> broken) {}

    /// @param plan with the limits of the candidate by itself
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

    /// Whether it keeps so many batch sizes that rows had better be told what is known of the next ([#settled]).
    boolean isFull() {
        return tried.size() > MOST;
    }

    /// Forgets all but some batch sizes and the largest.
    void keep(Set<Long> batchSizes) {
        long last = tried.lastKey();
        tried.keySet().removeIf(batchSize -> batchSize != last && !batchSizes.contains(batchSize));
    }

    /// A row with what keeps its batch size from growing, if the next one was tried.
    ResultRow settled(ResultRow row) {
        return row.binds().isEmpty() && tried.containsKey(row.batchSize() + 1) ? row.withBinds(ofMore(row)) : row;
    }

    /// All rows that were recorded with what binds them: where fewer requests at once are better, the best with what
    /// keeps them from being fewer.
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
