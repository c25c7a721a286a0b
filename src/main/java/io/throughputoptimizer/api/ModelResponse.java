package io.throughputoptimizer.api;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.List;

/// A model of the catalogue.
@Schema(name = "Model", description = "Facts of a model that its cost depends on, and what can be asked of it.")
public record ModelResponse(
        @Schema(example = "Qwen/Qwen3-32B") String id,

        @Schema(description = "`model_type` of its configuration.", example = "qwen3")
        String modelType,

        @Schema(description = "Parameters in all; embedding and output head are counted apart.")
        long parameters,

        @Schema(description = "Decoder layers.") int layers,

        @Schema(description = "Width of the residual stream.")
        int hiddenSize,

        @Schema(description = "Rows of the embedding table.")
        int vocabularySize,

        @Schema(description = "Rows of the rotary tables.") int maxPositions,
        AttentionResponse attention,
        FeedForwardResponse feedForward,
        SupportResponse supported) {

    /// Kind of attention.
    @Schema(name = "Attention", description = "Kind of attention.")
    public record AttentionResponse(
            @Schema(allowableValues = "grouped_query") String kind, int queryHeads, int keyValueHeads, int headSize) {

        private static AttentionResponse from(AttentionSpec attention) {
            return switch (attention) {
                case AttentionSpec.GroupedQuery grouped ->
                    new AttentionResponse(
                            "grouped_query", grouped.queryHeads(), grouped.keyValueHeads(), grouped.headSize());
            };
        }
    }

    /// Kind of feed-forward part.
    @Schema(name = "FeedForward", description = "Kind of feed-forward part.")
    public record FeedForwardResponse(
            @Schema(allowableValues = "dense") String kind,

            @Schema(description = "Width inside the network.")
            int intermediateSize) {

        private static FeedForwardResponse from(FeedForwardSpec feedForward) {
            return switch (feedForward) {
                case FeedForwardSpec.Dense dense -> new FeedForwardResponse("dense", dense.intermediateSize());
            };
        }
    }

    /// What requests may ask of the model.
    @Schema(name = "Support", description = "What requests may ask of the model.")
    public record SupportResponse(
            @Schema(description = "Values of `compile`.") List<Boolean> compile,

            @Schema(description = "Values of `quantization.linear`.")
            List<LinearQuantization> linear,

            @Schema(description = "Values of `quantization.attention`.")
            List<AttentionQuantization> attention,

            @Schema(description = "Whether images count; else they are ignored.")
            boolean images,

            @Schema(description = "Largest `num_mtp_tokens`.")
            int mtpTokens,

            @Schema(description = "Whether `ep` and `moe_dp` sizes count; else they are ignored.")
            boolean expertParallelism) {
        /// Of dense text models.
        private static final SupportResponse DENSE = new SupportResponse(
                List.of(true, false),
                List.of(LinearQuantization.values()),
                List.of(AttentionQuantization.values()),
                false,
                0,
                false);
    }

    public static ModelResponse from(ModelArchitecture model) {
        return new ModelResponse(
                model.id(),
                model.family(),
                model.parameterCount(),
                model.layers(),
                model.hiddenSize(),
                model.vocabularySize(),
                model.maxPositions(),
                AttentionResponse.from(model.attention()),
                FeedForwardResponse.from(model.feedForward()),
                SupportResponse.DENSE);
    }
}
