package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Binding.Limit;
import io.throughputoptimizer.core.explain.Binding.Margin;
import io.throughputoptimizer.core.explain.Binding.Margins;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.Candidate;
import io.throughputoptimizer.core.search.Goal;
import io.throughputoptimizer.core.search.OptimizationProblem.BatchPlan;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.search.RejectedCandidate;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.serving.LimitBreach;
import io.throughputoptimizer.core.serving.MemoryAllowance;
import io.throughputoptimizer.core.serving.ServingPoint;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.ServiceObjective;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Says of each candidate of a phase what binds it.
///
/// @param limits of the phase
/// @param allowance what the evaluation of one batch size may hold
/// @param least that candidates reach, by label
record Bindings(
        Question question,
        Phase phase,
        ServiceObjective limits,
        AnalyticForwardEstimator estimator,
        MemoryAllowance allowance,
        Map<String, Least> least) {

    List<Binding> of(PhaseResult found) {
        List<Binding> bindings = new ArrayList<>();
        found.rows().forEach(row -> bindings.add(kept(row)));
        found.rejected().forEach(rejected -> bindings.add(rejected(rejected)));
        return bindings;
    }

    private Binding kept(ResultRow row) {
        BatchRange range = question.problem().search().batches().range();
        Goal goal = question.goal().in(phase);
        if (goal.prefersFewRequests()) {
            return fewest(row, goal);
        }
        if (range != null && row.batchSize() == range.max()) {
            return binding(
                    row.candidate(), row.batchSize(), true, Limit.BATCH_RANGE, "batch_range ends at " + range.max());
        }
        ServingPoint next = at(row.candidate(), row.batchSize() + 1, estimator);
        String words = "batch size " + (row.batchSize() + 1);
        Optional<LimitBreach> breach = LimitBreach.first(next, limits);
        if (breach.isPresent()) {
            return binding(
                    row.candidate(),
                    row.batchSize(),
                    true,
                    limit(breach.get()),
                    words + ": " + breach.get().description());
        }
        Limit limit = unbroken(row, next);
        return binding(row.candidate(), row.batchSize(), true, limit, words + unbroken(limit, row.candidate()));
    }

    /// What keeps it from serving fewer requests at once, and so faster.
    private Binding fewest(ResultRow row, Goal goal) {
        Candidate candidate = row.candidate();
        BatchPlan batches = question.problem().search().batches();
        long batchSize = row.batchSize();
        if (batchSize > batches.least(goal, candidate.layout())) {
            return binding(
                    candidate,
                    batchSize,
                    true,
                    Limit.THROUGHPUT,
                    "batch size " + (batchSize - 1) + " generates no faster for one user");
        }
        if (batchSize == 1) {
            return binding(candidate, batchSize, true, Limit.LEAST_CONCURRENCY, "every rank has one request");
        }
        long fewer = (batchSize - 1) * candidate.layout().dp();
        return fewer < goal.leastConcurrency()
                ? binding(
                        candidate,
                        batchSize,
                        true,
                        Limit.LEAST_CONCURRENCY,
                        "batch size " + (batchSize - 1) + " serves " + fewer + " requests at once: at least "
                                + goal.leastConcurrency() + " are asked for")
                : binding(candidate, batchSize, true, Limit.BATCH_RANGE, "batch_range starts at " + batchSize);
    }

    private Binding rejected(RejectedCandidate rejected) {
        Limit limit = switch (rejected.reason()) {
            case MEMORY -> Limit.MEMORY;
            case TTFT -> Limit.TTFT;
            case TPOT -> Limit.TPOT;
            case MODEL -> Limit.MODEL;
            case SEARCH -> Limit.SEARCH;
            case BATCH_RANGE -> Limit.BATCH_RANGE;
        };
        Long batchSize = rejected.batchSize();
        return batchSize == null
                ? new Binding(
                        phase, rejected.candidate(), null, false, limit, rejected.detail(), null, null, null, List.of())
                : binding(rejected.candidate(), batchSize, false, limit, rejected.detail());
    }

    /// With what that batch size takes.
    private Binding binding(Candidate candidate, long batchSize, boolean kept, Limit limit, String detail) {
        PassWitness witness = new PassWitness(estimator);
        ServingPoint point = at(candidate, batchSize, witness);
        return new Binding(
                phase,
                candidate,
                batchSize,
                kept,
                limit,
                detail,
                margins(point),
                point.costs().memory(),
                least.get(candidate.label()),
                witness.profiles(candidate.deployment()));
    }

    private ServingPoint at(Candidate candidate, long batchSize, ForwardEstimator passes) {
        return candidate.serving(phase, passes, allowance).at(batchSize);
    }

    private static Limit limit(LimitBreach breach) {
        return switch (breach) {
            case LimitBreach.OutOfMemory _ -> Limit.MEMORY;
            case LimitBreach.TtftExceeded _ -> Limit.TTFT;
            case LimitBreach.TpotExceeded _ -> Limit.TPOT;
        };
    }

    /// The next batch size keeps every limit.
    private Limit unbroken(ResultRow row, ServingPoint next) {
        Candidate candidate = row.candidate();
        double rate = at(candidate, row.batchSize(), estimator).figures().tokensPerSecond();
        if (next.figures().tokensPerSecond() > rate) {
            return Limit.SEARCH;
        }
        int budget = candidate.terms().maxBatchedTokens();
        if (phase == Phase.DECODE || budget > Integer.MAX_VALUE / 2) {
            return Limit.THROUGHPUT;
        }
        ServingPoint withMore = at(candidate.withTokenBudget(2 * budget), row.batchSize() + 1, estimator);
        return withMore.figures().tokensPerSecond() > rate ? Limit.TOKEN_BUDGET : Limit.THROUGHPUT;
    }

    private static String unbroken(Limit limit, Candidate candidate) {
        return switch (limit) {
            case TOKEN_BUDGET ->
                " delivers less; with a token budget of "
                        + 2 * candidate.terms().maxBatchedTokens() + " it delivers more";
            case THROUGHPUT -> " keeps every limit and delivers no more";
            case SEARCH -> " keeps every limit and delivers more, but the strategy did not try it";
            case TTFT, TPOT, MEMORY, BATCH_RANGE, LEAST_CONCURRENCY, RATE, MODEL ->
                throw new IllegalArgumentException("limit is " + limit + ": the next batch size breaks none");
        };
    }

    private Margins margins(ServingPoint point) {
        MemoryFootprint memory = point.costs().memory();
        return new Margins(
                Margin.of(point.figures().ttftMillis(), limits.ttftMillis()),
                Margin.of(point.figures().tpotMillis(), limits.tpotMillis()),
                new Margin(memory.availableBytes(), memory.availableBytes() / memory.capacityBytes()));
    }
}
