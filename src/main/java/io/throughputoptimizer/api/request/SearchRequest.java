package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.OneOrMore;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.Composite;
import io.throughputoptimizer.core.calibrated.CalibratedSizes;
import io.throughputoptimizer.core.load.RankBatches;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.batch.BatchStrategy;
import io.throughputoptimizer.core.search.space.ParallelSizes;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Search space, as a request states it.
@Schema(name = "Search")
public record SearchRequest(
        @Size(max = Bounds.LIST) @Nullable List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> tpSizes,
        @Size(max = Bounds.LIST) @Nullable List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> epSizes,

        @Only(costModel = CostModelName.ANALYTIC, instead = "replicas of experts are not priced")
        @Size(max = Bounds.LIST)
        @Nullable
        List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> moeDpSizes,

        @Size(min = 1, max = 2) @Nullable List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> batchRange,

        @Only(costModel = CostModelName.ANALYTIC, instead = "the best concurrency is found by bisection")
        @Schema(description = "Strategy of the search for batch sizes. {only}.", defaultValue = "exponential")
        @Nullable
        Strategy strategy,

        @Only(costModel = CostModelName.ANALYTIC, instead = "use engine.max_batched_tokens")
        @OneOrMore
        @Size(min = 1, max = Bounds.LIST)
        @Nullable
        List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> maxBatchedTokens,

        @Only(costModel = CostModelName.CALIBRATED)
        @Schema(
                description = "Attention data parallel sizes. {only}. Default: 1, for models with routed"
                        + " experts also the devices divided by `tp`.")
        @Size(max = Bounds.LIST)
        @Nullable
        List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> dpSizes,

        @Only(
                costModel = CostModelName.ANALYTIC,
                instead = "ranks that share the KV cache of a sequence are not priced")
        @Schema(
                description = "Decode context parallel sizes: ranks of a tensor parallel group that share the KV"
                        + " cache of a sequence. Sizes that do not divide `tp` are skipped; prefill"
                        + " instances use 1. {only}. Default: 1.")
        @Size(max = Bounds.LIST)
        @Nullable
        List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> dcpSizes)
        implements Composite {

    /// Wire names of the [BatchStrategy]s.
    public enum Strategy {
        EXPONENTIAL(BatchStrategy.EXPONENTIAL),
        BINARY(BatchStrategy.BINARY),
        LINEAR_EXPONENTIAL(BatchStrategy.LINEAR_EXPONENTIAL),
        EXHAUSTIVE(BatchStrategy.EXHAUSTIVE);

        private final BatchStrategy strategy;

        Strategy(BatchStrategy strategy) {
            this.strategy = strategy;
        }

        public BatchStrategy strategy() {
            return strategy;
        }
    }

    static final SearchRequest DEFAULT = new SearchRequest(List.of(), null, null, null, null, null, null, null);

    public SearchRequest {
        boolean nothingSearched = tpSizes == null && epSizes == null && moeDpSizes == null;
        tpSizes = nothingSearched ? List.of() : tpSizes;
    }

    /// Returns a copy with the defaults of cost model `analytic` filled in.
    SearchRequest completed() {
        return WireMember.copy(this, "strategy", requireNonNullElse(strategy, Strategy.EXPONENTIAL));
    }

    /// Returns a copy without the default of [#completed()].
    SearchRequest withoutStrategy() {
        return WireMember.copy(this, "strategy", null);
    }

    @Override
    public List<Violation> inconsistencies() {
        if (batchRange == null || batchRange.size() != 2 || batchRange.contains(null)) {
            return List.of();
        }
        return batchRange.getFirst() > batchRange.getLast()
                ? List.of(new Violation("/batch_range", "must have a minimum up to the maximum, got " + batchRange))
                : List.of();
    }

    SearchRequest withMaxBatchedTokens(int tokens) {
        return WireMember.copy(this, "maxBatchedTokens", List.of(tokens));
    }

    public ParallelSizes parallelSizes() {
        return new ParallelSizes(tpSizes, epSizes, moeDpSizes, dcpSizes);
    }

    public OptimizationProblem.BatchPlan batchPlan() {
        return new OptimizationProblem.BatchPlan(requireNonNull(strategy).strategy(), range());
    }

    public CalibratedSizes measuredSizes(@Nullable SpeculationRequest speculation) {
        return new CalibratedSizes(
                tpSizes, dpSizes, epSizes, speculation == null ? List.of() : speculation.toSpeculations());
    }

    @Nullable
    public RankBatches rankBatches() {
        BatchRange range = range();
        return range == null ? null : new RankBatches(range.min(), range.max());
    }

    private @Nullable BatchRange range() {
        if (batchRange == null) {
            return null;
        }
        return batchRange.size() == 1
                ? new BatchRange(1, batchRange.getFirst())
                : new BatchRange(batchRange.getFirst(), batchRange.getLast());
    }
}
