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
@Schema(name = "Row", description = "A configuration and its figures.")
public record RowResponse(
        @Schema(description = "Place in its table, from 1.", example = "1") @Nullable
        Integer rank,

        @Schema(description = "Parallel layout.") ParallelResponse parallel,

        @Schema(description = "Requests per data parallel rank.")
        long batchSize,

        @Schema(description = "Requests of the whole instance.")
        long concurrency,

        @Schema(description = "Time to first token in ms.") @Nullable
        Double ttftMs,

        @Schema(description = "Time per output token in ms.") @Nullable
        Double tpotMs,

        @Schema(description = "Tokens per second: input tokens in prefill, output tokens else.")
        double tokensPerS,

        @Schema(description = "`tokens_per_s` divided by the devices.")
        double tokensPerSPerDevice,

        @Schema(
                description = "Requests per second of one phase. Prefill: `concurrency` divided by `ttft_ms`."
                        + " Decode: `concurrency` divided by `tpot_ms` times all output tokens;"
                        + " `decode_requests_per_s` of pairs and mode `capacity` exclude the first output token."
                        + " Accounting `steady`, with either `ttft_basis`: rate of a benchmark of `traffic.waves`"
                        + " with its opening burst; of a lasting load if prompts crowd the steps.")
        @Nullable
        Double requestsPerS,

        @Schema(
                description = "Sustainable requests per second, limited by the total time of all forward passes."
                        + " Aggregation: `concurrency` divided by the time of the requests' prefill passes and"
                        + " decode steps. Prefill: tokens per second of the passes divided by the mean new"
                        + " tokens of a request. Decode: `concurrency` divided by the time of a request's steps,"
                        + " without the first output token.")
        @Nullable
        Double sustainedRequestsPerS,

        @Schema(description = "Input tokens of every request; absent for mixed lengths.") @Nullable
        Integer inputLength,

        @Schema(description = "Tokens generated per request; absent where they differ.") @Nullable
        Integer outputLength,

        @Schema(description = "Input tokens not found in the prefix cache; for mixed lengths their mean.")
        int effectiveInputLength,

        @Schema(description = "Token budget of one prefill pass.")
        int maxBatchedTokens,

        @Schema(description = "Pieces the effective input is cut into; 0 in decode.")
        int prefillNumChunks,

        @Schema(description = "Time of the phase by kind, in percent.") @Nullable
        BreakdownResponse breakdown,

        @Schema(description = "Time of a prefill pass by kind, in percent. Aggregation only.") @Nullable
        BreakdownResponse prefillBreakdown,

        @Schema(description = "Time of a decode pass by kind, in percent. Aggregation only.") @Nullable
        BreakdownResponse decodeBreakdown,

        @Schema(description = "Memory by use.") MemoryResponse memory,

        @Schema(
                description = "Input lengths of the row: \"all\". Only with mixed lengths; `composition` has each"
                        + " length.",
                allowableValues = "all")
        @Nullable
        String numInputTokens,

        @Schema(description = "Mixed lengths only: 1, since the row covers all requests.") @Nullable
        Double requestRatio,

        @Schema(description = "Mixed lengths only: the concurrency.") @Nullable
        Long samples,

        @Schema(
                description = "Mixed lengths only: requests per input length, ordered by it; where requests of unequal"
                        + " length decode, those that a batch holds in the steady state.")
        @Nullable
        List<CompositionResponse> composition,

        @Schema(
                description = "Fraction of requests excluded because the batch size is smaller than the number of"
                        + " lengths. `composition` and the figures exclude them. Only with mixed lengths; absent"
                        + " if 0.",
                example = "0.125")
        @Nullable
        Double omittedRatio,

        @Schema(
                description = "Processing of output tokens, or of prompts in prefill rows, by linear attention: in"
                        + " chunks, as accounting `documented` does, or token by token from each request's"
                        + " state. Absent for models without linear attention.")
        @Nullable
        LinearAttentionRule linearAttention,

        @JsonUnwrapped @Nullable RequestLatencyResponse requestLatency,
        @JsonUnwrapped @Nullable FigureBandsResponse bands,
        @JsonUnwrapped @Nullable SteadyRowResponse steady,
        @JsonUnwrapped @Nullable ConversationsResponse conversations,

        @Schema(description = "Value of the ranking objective. Requires `objective`.") @Nullable
        ObjectiveResponse objective,

        @Schema(description = BindingName.DESCRIPTION) @Nullable
        List<BindingName> limitedBy,

        @Schema(description = "Warnings about the row, one clause each. Absent if there are none.") @Nullable
        List<String> warnings)
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
    @Schema(name = "Composition", description = "Requests of one input length in a mixed batch.")
    public record CompositionResponse(
            @Schema(description = "Representative input length.")
            int numInputTokens,

            @Schema(description = "Input tokens not found in the prefix cache.")
            int queryLen,

            @Schema(description = "Share of all requests; with `num_output_tokens` of those in the batch.")
            double requestRatio,

            @Schema(description = "Requests over all data parallel ranks.")
            long samples,

            @Schema(description = "Tokens generated, where requests of unequal length decode.") @Nullable
            Integer numOutputTokens,

            @Schema(description = "Context halfway through the output, where requests of unequal length decode.")
            @Nullable
            Long contextTokens) {

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
