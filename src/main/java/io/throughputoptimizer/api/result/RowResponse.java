package io.throughputoptimizer.api.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.BindingName;
import io.throughputoptimizer.api.result.figure.BreakdownResponse;
import io.throughputoptimizer.api.result.figure.FigureBandsResponse;
import io.throughputoptimizer.api.result.figure.LinearAttentionRule;
import io.throughputoptimizer.api.result.figure.MemoryResponse;
import io.throughputoptimizer.api.result.figure.ObjectiveResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.RequestLatencyResponse;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.Plateau;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.search.SearchPoint;
import io.throughputoptimizer.core.serving.Figures;
import io.throughputoptimizer.core.workload.LengthSamples;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// One configuration and what it delivers.
@Schema(name = "Row")
public record RowResponse(
        @Nullable Integer rank,
        ParallelResponse parallel,
        long batchSize,
        long concurrency,
        @Nullable Double ttftMs,
        @Nullable Double tpotMs,
        double tokensPerS,
        double tokensPerSPerDevice,
        @Nullable Double requestsPerS,
        @Nullable Double sustainedRequestsPerS,
        @Nullable Integer inputLength,
        @Nullable Integer outputLength,
        int effectiveInputLength,
        int maxBatchedTokens,
        int prefillNumChunks,
        @Nullable BreakdownResponse breakdown,
        @Nullable BreakdownResponse prefillBreakdown,
        @Nullable BreakdownResponse decodeBreakdown,
        MemoryResponse memory,
        @Schema(allowableValues = "all") @Nullable String numInputTokens,
        @Nullable Double requestRatio,
        @Nullable Long samples,
        @Nullable List<CompositionResponse> composition,
        @Nullable Double omittedRatio,
        @Nullable LinearAttentionRule linearAttention,
        @JsonUnwrapped @Nullable RequestLatencyResponse requestLatency,
        @JsonUnwrapped @Nullable FigureBandsResponse bands,
        @JsonUnwrapped @Nullable SteadyRowResponse steady,
        @JsonUnwrapped @Nullable ConversationsResponse conversations,
        @Nullable ObjectiveResponse objective,
        @Nullable List<BindingName> limitedBy,
        @Nullable List<String> warnings)
        implements DeliveredResponse {
    private static final String ALL_LENGTHS = "all";

    public RowResponse {
        requestLatency = RequestLatencyResponse.orAbsent(requestLatency);
        bands = FigureBandsResponse.orAbsent(bands);
        steady = SteadyRowResponse.orAbsent(steady);
        conversations = ConversationsResponse.orAbsent(conversations);
    }

    /// Returns the warnings of a row. Results stored by versions without `warnings` report requests without
    /// service by their share alone.
    public List<String> told() {
        return warnings != null
                ? warnings
                : RowWarnings.leftOut(omittedRatio == null ? 0 : omittedRatio).stream()
                        .toList();
    }

    /// Requests of one input length in a mixed batch.
    @Schema(name = "Composition")
    public record CompositionResponse(
            int numInputTokens,
            int queryLen,
            double requestRatio,
            long samples,
            @Nullable Integer numOutputTokens,
            @Nullable Long contextTokens) {

        private static CompositionResponse from(ResultRow.CompositionRow row) {
            LengthSamples.Decoding decoding = row.decoding();
            return new CompositionResponse(
                    row.inputTokens(),
                    row.queryLength(),
                    row.requestRatio(),
                    row.samples(),
                    decoding == null ? null : (Integer) decoding.outputTokens(),
                    decoding == null ? null : (Long) decoding.contextTokens());
        }
    }

    static RowResponse from(ResultRow row, Phase phase, OptimizationProblem problem) {
        return from(row, phase, problem, List.of());
    }

    /// @param tried batch sizes that the row was chosen among
    static RowResponse from(ResultRow row, Phase phase, OptimizationProblem problem, List<SearchPoint> tried) {
        boolean mixed = !row.composition().isEmpty();
        Figures figures = row.figures();
        BreakdownResponse prefill = BreakdownResponse.percent(row.breakdowns().prefill());
        BreakdownResponse decode = BreakdownResponse.percent(row.breakdowns().decode());
        boolean aggregated = phase == Phase.AGGREGATION;
        Objective asked = problem.demand().objective();
        Objective objective = asked == null ? null : asked.in(phase);
        return new RowResponse(
                row.rank(),
                ParallelResponse.from(row.candidate()),
                row.batchSize(),
                row.concurrency(),
                figures.ttftMillis(),
                figures.tpotMillis(),
                figures.tokensPerSecond(),
                figures.tokensPerSecondPerDevice(),
                row.requestsPerS(),
                figures.sustainedRequestsPerS(),
                inputLength(row),
                outputLength(problem),
                row.prefill().effectiveInputLength(),
                row.prefill().maxBatchedTokens(),
                row.prefill().chunks(),
                switch (phase) {
                    case PREFILL -> prefill;
                    case DECODE -> decode;
                    case AGGREGATION -> null;
                },
                aggregated ? prefill : null,
                aggregated ? decode : null,
                MemoryResponse.from(row.memory(), row.candidate().deployment()),
                mixed ? ALL_LENGTHS : null,
                mixed ? 1.0 : null,
                mixed ? row.concurrency() : null,
                mixed
                        ? row.composition().stream()
                                .map(CompositionResponse::from)
                                .toList()
                        : null,
                row.omittedRatio() > 0 ? row.omittedRatio() : null,
                LinearAttentionRule.of(phase, problem),
                phase == Phase.AGGREGATION
                        ? RequestLatencyResponse.of(
                                figures.requestLatencyMillis(), problem.demand().limits())
                        : null,
                null,
                null,
                ConversationsResponse.of(figures.kept(), (double) row.concurrency() / row.batchSize()),
                objective == null ? null : ObjectiveResponse.of(objective, objective.value(row)),
                BindingName.of(row.binds()),
                RowWarnings.of(
                        row,
                        Plateau.smaller(row, tried, problem.demand().ranking().in(phase))));
    }

    private static @Nullable Integer inputLength(ResultRow row) {
        return switch (row.candidate().terms().workload().lengths()) {
            case Lengths.Fixed fixed -> fixed.inputTokens();
            case Lengths.Mixed _ -> null;
        };
    }

    private static @Nullable Integer outputLength(OptimizationProblem problem) {
        OptionalInt sole = problem.demand().workload().outputs().sole();
        return sole.isPresent() ? (Integer) sole.getAsInt() : null;
    }
}
