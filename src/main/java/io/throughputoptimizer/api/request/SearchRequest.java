package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonProperty;
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
@Schema(
        name = "Search",
        description = "What is tried. Of each size list: absent means not searched, `[]` means powers of two up to the"
                + " device count. With `tp_sizes`, `ep_sizes` and `moe_dp_sizes` absent `tp_sizes` counts as `[]`.")
public record SearchRequest(
        @Schema(description = "Tensor parallel sizes; unless searched, the device count.", example = "[]")
        @Size(max = Bounds.LIST)
        @Nullable
        List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> tpSizes,

        @Schema(description = "Expert parallel sizes; unless searched, the device count. Dense models ignore them.")
        @Size(max = Bounds.LIST)
        @Nullable
        List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> epSizes,

        @Only(costModel = CostModelName.ANALYTIC, instead = "replicas of experts are not priced")
        @Schema(description = "Replicas of all experts; unless searched, 1. Dense models ignore them.")
        @Size(max = Bounds.LIST)
        @Nullable
        List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> moeDpSizes,

        @Schema(
                description =
                        "Batch sizes per data parallel rank: `[max]` or `[min, max]`, up to 1000000; absent: the strategy"
                                + " widens; with cost model `calibrated` as many as a rank runs at once, at most 512.",
                example = "[1, 256]")
        @Size(min = 1, max = 2)
        @Nullable
        List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> batchRange,

        @Only(costModel = CostModelName.ANALYTIC, instead = "the best concurrency is found by bisection")
        @Schema(description = "How the batch size is searched; {only}.", defaultValue = "exponential")
        @Nullable
        Strategy strategy,

        @Only(costModel = CostModelName.ANALYTIC, instead = "use engine.max_batched_tokens")
        @Schema(
                description =
                        "Token budget of one prefill pass; absent: with documented accounting 8192, or with a length"
                                + " distribution its maximum effective length; with steady accounting as much as"
                                + " memory allows of 4, 2 and 1 times the input length. A list to try several.",
                example = "8192")
        @OneOrMore
        @Size(min = 1, max = Bounds.LIST)
        @Nullable
        List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> maxBatchedTokens,

        @Only(costModel = CostModelName.CALIBRATED)
        @Schema(
                description = "Attention data parallel sizes; {only}. Unless searched, 1, and"
                        + " for models with routed experts also what tp leaves of the devices.")
        @Size(max = Bounds.LIST)
        @Nullable
        List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> dpSizes,

        @Only(
                costModel = CostModelName.ANALYTIC,
                instead = "ranks that share the KV cache of a sequence are not priced")
        @Schema(
                description =
                        "Decode context parallel sizes: neighbours of a tensor parallel group that share the KV cache"
                                + " of a sequence; unless searched, 1. Sizes that do not divide the tensor parallel size are"
                                + " skipped; prefill instances have 1. {only}.")
        @Size(max = Bounds.LIST)
        @Nullable
        List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> dcpSizes)
        implements Composite {

    /// Wire names of the [BatchStrategy]s.
    public enum Strategy {
        @JsonProperty("exponential")
        EXPONENTIAL(BatchStrategy.EXPONENTIAL),
        @JsonProperty("binary")
        BINARY(BatchStrategy.BINARY),
        @JsonProperty("linear_exponential")
        LINEAR_EXPONENTIAL(BatchStrategy.LINEAR_EXPONENTIAL),
        @JsonProperty("exhaustive")
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
