package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Binding.Limit;
import io.throughputoptimizer.core.explain.Binding.Margin;
import io.throughputoptimizer.core.explain.Binding.Margins;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.BatchRange;
import io.throughputoptimizer.core.search.Candidate;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.search.RejectedCandidate;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.serving.LimitBreach;
import io.throughputoptimizer.core.serving.Serving;
import io.throughputoptimizer.core.serving.ServingPoint;
import io.throughputoptimizer.core.serving.ServingTerms;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.ServiceObjective;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Says of each candidate of a phase what binds it.
///
/// @param limits of the phase
record Bindings(Question question, Phase phase, ServiceObjective limits, AnalyticForwardEstimator estimator) {

    List<Binding> of(PhaseResult found) {
        List<Binding> bindings = new ArrayList<>();
        found.rows().forEach(row -> bindings.add(kept(row)));
        found.rejected().forEach(rejected -> bindings.add(rejected(rejected)));
        return bindings;
    }

    private Binding kept(ResultRow row) {
        Candidate candidate = row.candidate();
        PassWitness witness = new PassWitness(estimator);
        ServingPoint point = at(candidate, row.batchSize(), witness);
        ServingPoint next = at(candidate, row.batchSize() + 1, estimator);
        Optional<LimitBreach> breach = LimitBreach.first(next, limits);
        Limit limit = breach.map(Bindings::limit).orElseGet(() -> unbroken(row, point, next));
        if (isLastOfRange(row.batchSize())) {
            limit = Limit.BATCH_RANGE;
        }
        return new Binding(
                phase,
                candidate,
                row.batchSize(),
                true,
                limit,
                words(limit, row, breach),
                margins(point),
                point.costs().memory(),
                witness.profiles(candidate.deployment()));
    }

    private Binding rejected(RejectedCandidate rejected) {
        Candidate candidate = rejected.candidate();
        Long batchSize = rejected.batchSize();
        Limit limit = switch (rejected.reason()) {
            case MEMORY -> Limit.MEMORY;
            case TTFT -> Limit.TTFT;
            case TPOT -> Limit.TPOT;
            case MODEL -> Limit.MODEL;
            case SEARCH -> Limit.SEARCH;
        };
        if (batchSize == null) {
            return new Binding(phase, candidate, null, false, limit, rejected.detail(), null, null, List.of());
        }
        PassWitness witness = new PassWitness(estimator);
        ServingPoint point = at(candidate, batchSize, witness);
        return new Binding(
                phase,
                candidate,
                batchSize,
                false,
                limit,
                rejected.detail(),
                margins(point),
                point.costs().memory(),
                witness.profiles(candidate.deployment()));
    }

    private ServingPoint at(Candidate candidate, long batchSize, ForwardEstimator passes) {
        return at(candidate, candidate.terms(), batchSize, passes);
    }

    private ServingPoint at(Candidate candidate, ServingTerms terms, long batchSize, ForwardEstimator passes) {
        return serving(phase, candidate, terms, passes).at(batchSize);
    }

    /// An instance of the phase at work.
    static Serving serving(Phase phase, Candidate candidate, ServingTerms terms, ForwardEstimator passes) {
        return switch (phase) {
            case PREFILL -> Serving.prefill(candidate.deployment(), terms, passes);
            case DECODE -> Serving.decode(candidate.deployment(), terms, passes);
            case AGGREGATION -> Serving.aggregated(candidate.deployment(), terms, passes);
        };
    }

    private boolean isLastOfRange(long batchSize) {
        BatchRange range = question.problem().search().batches().range();
        return range != null && batchSize == range.max();
    }

    private static Limit limit(LimitBreach breach) {
        return switch (breach) {
            case LimitBreach.OutOfMemory _ -> Limit.MEMORY;
            case LimitBreach.TtftExceeded _ -> Limit.TTFT;
            case LimitBreach.TpotExceeded _ -> Limit.TPOT;
        };
    }

    /// The next batch size keeps every limit.
    private Limit unbroken(ResultRow row, ServingPoint point, ServingPoint next) {
        double rate = point.figures().tokensPerSecond();
        if (next.figures().tokensPerSecond() > rate) {
            return Limit.SEARCH;
        }
        ServingTerms terms = row.candidate().terms();
        if (phase == Phase.DECODE || terms.maxBatchedTokens() > Integer.MAX_VALUE / 2) {
            return Limit.THROUGHPUT;
        }
        ServingTerms wider = terms.withMaxBatchedTokens(2 * terms.maxBatchedTokens());
        ServingPoint withMore = at(row.candidate(), wider, row.batchSize() + 1, estimator);
        return withMore.figures().tokensPerSecond() > rate ? Limit.TOKEN_BUDGET : Limit.THROUGHPUT;
    }

    private static String words(Limit limit, ResultRow row, Optional<LimitBreach> breach) {
        String next = "batch size " + (row.batchSize() + 1);
        return switch (limit) {
            case TTFT, TPOT, MEMORY -> next + ": " + breach.orElseThrow().description();
            case BATCH_RANGE -> "batch_range ends at " + row.batchSize();
            case TOKEN_BUDGET ->
                next + " delivers less; with a token budget of "
                        + 2 * row.candidate().terms().maxBatchedTokens() + " it delivers more";
            case THROUGHPUT -> next + " keeps every limit and delivers no more";
            case SEARCH -> next + " keeps every limit and delivers more, but the strategy did not try it";
            case MODEL -> throw new IllegalStateException("a row cannot be laid out");
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
