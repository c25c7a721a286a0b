package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.OptimizationProblem.BatchPlan;
import io.throughputoptimizer.core.search.batch.BatchSearch;
import io.throughputoptimizer.core.serving.LimitBreach;
import io.throughputoptimizer.core.serving.Serving;
import io.throughputoptimizer.core.serving.ServingOutcome;
import io.throughputoptimizer.core.serving.ServingOutcome.Infeasible;
import io.throughputoptimizer.core.serving.ServingPoint;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCost;
import io.throughputoptimizer.core.workload.OutputLengths;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Searches the batch sizes of one candidate with one token budget. Used once, by one thread.
final class BudgetSearch {
    private final PhasePlan plan;
    private final BatchPlan batches;
    private final Recorder recorder;
    private final SearchProgress progress;
    /// Outcomes of the first batch sizes; only these are requested again.
    private final Map<Long, ServingOutcome> outcomes = new HashMap<>();

    private final ThinnedPoints points;
    private final RecordedRows rows;
    private final RowBindings bindings;

    BudgetSearch(PhasePlan plan, BatchPlan batches, Recorder recorder, SearchProgress progress) {
        this.plan = plan;
        this.batches = batches;
        this.recorder = recorder;
        this.progress = progress;
        this.points = new ThinnedPoints(progress.allowance());
        this.rows = plan.listsRows()
                ? RecordedRows.all(progress.allowance())
                : new RecordedRows(
                        progress.allowance(), plan.sharesAnswers() ? 0 : RecordedRows.MOST, this::contenders);
        this.bindings = new RowBindings(recorder.candidate(), plan, batches);
    }

    CandidateSearch.Found run(Serving serving) {
        LongFunction<ServingOutcome> probe = batchSize -> probe(serving, batchSize);
        long least = smallestBatchSize();
        boolean leastIsBest = plan.objective().prefersFewRequests();
        if (leastIsBest && probe.apply(least) instanceof ServingOutcome.Feasible(ServingPoint point)) {
            rows.add(recorder.row(point));
        }
        Consumer<ServingPoint> record = point -> {
            if (!leastIsBest || point.load().batchSize() > least) {
                rows.add(recorder.row(point));
            }
        };
        plan.search(batches.strategy())
                .run(new BatchSearch.Trial(probe, record, least, endsOnPlateau()), batches.range(), plan.limits());
        if (Plateau.counts(recorder.candidate().terms().accounting(), plan.objective())) {
            recordPlateau(probe, least);
        }
        List<ResultRow> recorded = bindings.bound(rows.sorted());
        RejectedCandidate rejection = rejection(recorded, probe);
        return new CandidateSearch.Found(recorded, points.points(), points.leftOut(), rejection);
    }

    /// Returns whether the search stops where throughput stops growing. Without a TTFT or end-to-end latency
    /// target only memory would end most searches, at batch sizes that no engine supports. The reference's
    /// accounting never stops here.
    private boolean endsOnPlateau() {
        return !recorder.candidate().terms().accounting().isReference()
                && plan.phase() != Phase.DECODE
                && isUnlimited(plan.limits().ttftMillis())
                && isUnlimited(plan.limits().requestLatencyMillis());
    }

    private static boolean isUnlimited(@Nullable Double limit) {
        return limit == null || limit.isInfinite();
    }

    /// Adds the start of the plateau: the search for the largest batch size skips smaller ones with the same
    /// throughput.
    private void recordPlateau(LongFunction<ServingOutcome> probe, long least) {
        List<ResultRow> recorded = rows.sorted();
        Set<Long> known = recorded.stream().map(ResultRow::batchSize).collect(Collectors.toSet());
        Ranking.best(recorded, plan.limits(), plan.objective())
                .flatMap(best -> {
                    Plateau plateau = Plateau.of(best, plan.objective());
                    return Plateau.start(
                            least,
                            best.batchSize(),
                            batchSize -> probe.apply(batchSize) instanceof ServingOutcome.Feasible(ServingPoint point)
                                    && plateau.holds(recorder.row(point)));
                })
                .filter(start -> !known.contains(start))
                .ifPresent(start -> rows.add(recorder.row(probe.apply(start).point())));
    }

    /// Returns whether prefill ran out of memory at the smallest batch size already.
    boolean ranOutOfPrefillMemory() {
        ServingOutcome first = outcomes.get(smallestBatchSize());
        PhaseCost prefill = first == null ? null : first.point().costs().prefill();
        return prefill != null && prefill.memory().availableBytes() < 0;
    }

    private long smallestBatchSize() {
        return batches.least(plan.objective(), recorder.candidate().layout());
    }

    /// Evaluates a batch size; the first batch sizes are cached.
    private ServingOutcome probe(Serving serving, long batchSize) {
        ServingOutcome known = outcomes.get(batchSize);
        if (known != null) {
            return known;
        }
        progress.failWhenCancelled();
        ServingOutcome outcome = ServingOutcome.of(serving.at(batchSize), plan.limits());
        if (outcomes.size() < BatchSearch.REMEMBERED) {
            outcomes.put(batchSize, outcome);
        }
        if (fitsInMemory(outcome)) {
            points.add(SearchPoint.of(recorder.candidate(), outcome));
        }
        remember(outcome.point());
        progress.pointEvaluated();
        return outcome;
    }

    private void remember(ServingPoint point) {
        bindings.add(point);
        if (bindings.isFull()) {
            rows.replaceAll(bindings::settled);
            bindings.keep(outcomes.keySet());
        }
    }

    private List<ResultRow> contenders(List<ResultRow> recorded) {
        OutputLengths outputs = recorder.candidate().terms().workload().outputs();
        return plan.sharesAnswers()
                ? Ranking.unbeaten(recorded, plan.limits(), plan.objective(), outputs)
                : Ranking.contenders(recorded, plan.limits(), plan.objective(), outputs);
    }

    private static boolean fitsInMemory(ServingOutcome outcome) {
        return !(outcome instanceof Infeasible infeasible && infeasible.breach() instanceof LimitBreach.OutOfMemory);
    }

    private @Nullable RejectedCandidate rejection(List<ResultRow> recorded, LongFunction<ServingOutcome> probe) {
        if (recorded.stream().anyMatch(row -> Ranking.keeps(row, plan.limits()))) {
            return null;
        }
        if (!recorded.isEmpty()) {
            return brokenByRounding(recorded);
        }
        long first = smallestBatchSize();
        return switch (probe.apply(first)) {
            case Infeasible infeasible -> RejectedCandidate.of(recorder.candidate(), first, infeasible.breach());
            case ServingOutcome.Feasible _ ->
                new RejectedCandidate(
                        recorder.candidate(),
                        RejectedCandidate.Reason.SEARCH,
                        first,
                        "batch size " + first + " keeps every limit, but the search recorded none: its estimate of the"
                                + " largest batch size fell too low",
                        null);
        };
    }

    /// Returns the rejection of a candidate that meets a target before rounding only: targets can be finer than
    /// the 3 decimals of a row.
    private RejectedCandidate brokenByRounding(List<ResultRow> recorded) {
        ResultRow smallest = recorded.stream()
                .min(Comparator.comparingLong(ResultRow::batchSize))
                .orElseThrow();
        LimitBreach breach =
                LimitBreach.latencies(smallest.figures(), plan.limits()).getFirst();
        return RejectedCandidate.of(recorder.candidate(), smallest.batchSize(), breach);
    }

    /// Recorded rows of one layout's search: all rows, or beyond a threshold, if the result does not list them,
    /// only those that can still be shown.
    static final class RecordedRows {
        /// Number of rows that are always retained.
        static final int MOST = 1024;

        private static final Comparator<ResultRow> ORDER = Comparator.comparingDouble(
                        (ResultRow row) -> row.figures().tokensPerSecond())
                .thenComparingLong(ResultRow::batchSize);

        private final MemoryBudget allowance;
        private final int most;
        private final UnaryOperator<List<ResultRow>> contenders;
        private List<ResultRow> rows = new ArrayList<>();

        /// Creates a list that prunes its rows.
        ///
        /// @param most row count that triggers pruning
        /// @param contenders selection of the rows that can still be shown
        RecordedRows(MemoryBudget allowance, int most, UnaryOperator<List<ResultRow>> contenders) {
            this.allowance = allowance;
            this.most = most;
            this.contenders = contenders;
        }

        /// Returns a list that retains all rows.
        static RecordedRows all(MemoryBudget allowance) {
            return new RecordedRows(allowance, Integer.MAX_VALUE, rows -> rows);
        }

        void add(ResultRow row) {
            allowance.take(MemoryBudget.bytes(row));
            rows.add(row);
            if (rows.size() % (2 * MOST) == 0) {
                reduce();
            }
        }

        /// Replaces each row.
        void replaceAll(UnaryOperator<ResultRow> row) {
            rows.replaceAll(row);
        }

        private void reduce() {
            List<ResultRow> left = new ArrayList<>(contenders.apply(rows));
            allowance.giveBack(bytes(rows) - bytes(left));
            rows = left;
        }

        private static long bytes(List<ResultRow> rows) {
            return rows.stream().mapToLong(MemoryBudget::bytes).sum();
        }

        /// Returns the rows by ascending throughput, then batch size.
        List<ResultRow> sorted() {
            if (rows.size() > most) {
                reduce();
            }
            return rows.stream().sorted(ORDER).toList();
        }
    }
}
