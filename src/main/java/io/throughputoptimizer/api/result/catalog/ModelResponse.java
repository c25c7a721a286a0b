package io.throughputoptimizer.api.result.catalog;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.request.CostModelName;
import io.throughputoptimizer.api.request.ServingRequest;
import io.throughputoptimizer.api.result.figure.CheckpointResponse;
import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.deployment.Obstacle.Part;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.deployment.RooflineCoverage;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.HybridSpec;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.family.ModelFamily;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A model of the catalogue.
@Schema(name = "Model", description = "Architecture of a model, and the options that requests can use with it.")
public record ModelResponse(
        @Schema(description = "Under which requests mean the model.", example = "Qwen/Qwen3-32B")
        String id,

        @Schema(description = "`model_type` of its configuration.", example = "qwen3")
        String modelType,

        @Schema(description = "Name of the model family.", example = "Qwen3")
        String family,

        @Schema(description = "Parameters in all; embedding and output head are counted apart.")
        long parameters,

        @Schema(description = "Decoder layers.") int layers,

        @Schema(description = "Width of the residual stream.")
        int hiddenSize,

        @Schema(description = "Rows of the embedding table.")
        int vocabularySize,

        @Schema(description = "Rows of the rotary tables.") int maxPositions,

        @Schema(
                description = "Maximum tokens of a request, input and output together. Longer requests are rejected"
                        + " unless `allow_beyond_context` is true.",
                example = "40960")
        int maxModelLen,

        @Schema(description = "Attention of the model.") AttentionResponse attention,

        @Schema(
                description = "Layers of linear attention, which keep a state of each request instead of a cache;"
                        + " absent without any.")
        @Nullable
        LinearAttentionResponse linearAttention,

        @Schema(description = "Feed-forward part of the layers.")
        FeedForwardResponse feedForward,

        @Schema(description = "Quantization of the checkpoint. Absent if its configuration does not state it.")
        @Nullable
        CheckpointResponse checkpointQuantization,

        @Schema(description = "Options that requests can use with the model.")
        SupportResponse supported,

        @Schema(description = "Support by each cost model, with the reason if there is none.")
        List<PricingResponse> pricing) {

    /// Kind of attention.
    @Schema(name = "Attention", description = "Kind of attention; members that its kind does not have are absent.")
    public record AttentionResponse(
            @Schema(
                    description =
                            "Multi-head and multi-query attention count as grouped-query. `compressed`: one head of"
                                    + " keys, which are the values, within a window, and entries of several tokens"
                                    + " before it.",
                    allowableValues = {"grouped_query", "multi_head_latent", "compressed"})
            String kind,

            @Schema(description = "Heads of the queries.") int queryHeads,

            @Schema(description = "Heads of keys and values; grouped-query attention only.") @Nullable
            Integer keyValueHeads,

            @Schema(description = "Elements of a query.") int headSize,

            @Schema(description = "Elements of a value. Absent if keys have the same number, or with latent attention.")
            @Nullable
            Integer valueSize,

            @Schema(description = "Width of the compressed query; latent attention only.") @Nullable
            Integer queryRank,

            @Schema(description = "Width of the compressed keys and values; latent attention only.") @Nullable
            Integer keyValueRank,

            @Schema(description = "Most tokens attended to; sparse attention only.") @Nullable
            Integer selectedTokens,

            @Schema(
                    description = "Most recent tokens attended to in layers with a sliding window, or tokens of a chunk"
                            + " where they attend within chunks; absent without any.")
            @Nullable
            Integer window) {

        /// The kind that has a cache: the only one, or that beside linear attention; the sparse one beside another,
        /// and the one that sees all tokens beside that with a window.
        private static AttentionSpec cached(ModelArchitecture model) {
            return model.attentions().stream()
                    .filter(attention ->
                            !(attention instanceof AttentionSpec.GatedDelta) && !(attention instanceof HybridSpec))
                    .reduce((first, last) ->
                            last instanceof AttentionSpec.GroupedQuery grouped && grouped.slides() ? first : last)
                    .orElseThrow();
        }

        private static AttentionResponse from(ModelArchitecture model) {
            Integer window = model.attentions().stream()
                    .filter(attention -> attention instanceof AttentionSpec.GroupedQuery grouped && grouped.slides())
                    .map(attention -> ((AttentionSpec.GroupedQuery) attention).window())
                    .findFirst()
                    .orElse(null);
            return switch (cached(model)) {
                case AttentionSpec.GatedDelta _, HybridSpec _ ->
                    throw new IllegalStateException("full attention is missing");
                case AttentionSpec.GroupedQuery grouped ->
                    new AttentionResponse(
                            "grouped_query",
                            grouped.queryHeads(),
                            grouped.keyValueHeads(),
                            grouped.headSize(),
                            grouped.valuesDiffer() ? grouped.valueSize() : null,
                            null,
                            null,
                            null,
                            window);
                case AttentionSpec.BlockSparse sparse ->
                    new AttentionResponse(
                            "grouped_query",
                            sparse.queryHeads(),
                            sparse.keyValueHeads(),
                            sparse.headSize(),
                            null,
                            null,
                            null,
                            sparse.indexer() == null ? null : sparse.indexer().selectedTokens(),
                            window);
                case AttentionSpec.MultiHeadLatent latent ->
                    new AttentionResponse(
                            "multi_head_latent",
                            latent.heads(),
                            null,
                            latent.head().query(),
                            null,
                            latent.queryRank() == 0 ? null : (Integer) latent.queryRank(),
                            latent.keyValueRank(),
                            latent.indexer() == null ? null : latent.indexer().selectedTokens(),
                            window);
                case CompressedSpec compressed ->
                    new AttentionResponse(
                            "compressed",
                            compressed.heads(),
                            null,
                            compressed.headSize(),
                            null,
                            compressed.queryRank(),
                            null,
                            compressed.indexer().selectedTokens(),
                            compressed.window());
            };
        }
    }

    /// Layers with the gated delta rule.
    @Schema(name = "LinearAttention", description = "Layers of linear attention by the gated delta rule.")
    public record LinearAttentionResponse(
            @Schema(description = "Number of decoder layers with linear attention.")
            int layers,

            @Schema(description = "Heads of queries and keys.")
            int keyHeads,

            @Schema(description = "Heads of values, each with a state.")
            int valueHeads,

            @Schema(description = "Elements of a query, key or value.")
            int headSize) {
        private static LinearAttentionResponse from(AttentionSpec.GatedDelta delta, ModelArchitecture model) {
            return new LinearAttentionResponse(
                    model.layersOf(delta), delta.keyHeads(), delta.valueHeads(), delta.size());
        }
    }

    /// Kind of feed-forward part.
    @Schema(
            name = "FeedForward",
            description = "Kind of feed-forward part; members that its kind does not have are absent.")
    public record FeedForwardResponse(
            @Schema(
                    description = "Kind of feed-forward layers: one path for every token, or routed experts.",
                    allowableValues = {"dense", "routed_experts"})
            String kind,

            @Schema(description = "Width inside a dense layer; absent when every layer has experts.") @Nullable
            Integer intermediateSize,

            @Schema(description = "Routed experts of a layer.") @Nullable
            Integer experts,

            @Schema(description = "Experts a token visits.") @Nullable
            Integer expertsPerToken,

            @Schema(description = "Width inside an expert.") @Nullable
            Integer expertWidth,

            @Schema(description = "Width inside the network that every token visits.") @Nullable
            Integer sharedWidth,

            @Schema(description = "First layers that are dense.") @Nullable
            Integer denseLayers) {

        private static FeedForwardResponse from(ModelArchitecture model) {
            List<LayerGroup> dense = model.groups().stream()
                    .filter(group -> group.feedForward() instanceof FeedForwardSpec.Dense)
                    .toList();
            Integer width = dense.stream()
                    .map(group -> ((FeedForwardSpec.Dense) group.feedForward()).intermediateSize())
                    .findFirst()
                    .orElse(null);
            int denseLayers = dense.stream().mapToInt(LayerGroup::count).sum();
            return model.experts()
                    .map(routed -> new FeedForwardResponse(
                            "routed_experts",
                            width,
                            routed.routing().experts(),
                            routed.routing().expertsPerToken(),
                            routed.expertWidth(),
                            routed.sharedWidth() == 0 ? null : routed.sharedWidth(),
                            denseLayers == 0 ? null : denseLayers))
                    .orElseGet(() -> new FeedForwardResponse("dense", width, null, null, null, null, null));
        }
    }

    /// Request options that the model supports.
    @Schema(name = "Support", description = "Options that requests can use with the model.")
    public record SupportResponse(
            @Schema(description = "Values of `cost_model`.") List<CostModelName> costModels,

            @Schema(description = "Values of `compile`; none without cost model `analytic`.")
            List<Boolean> compile,

            @Schema(description = "Values of `quantization.linear`; none without cost model `analytic`.")
            List<LinearQuantization> linear,

            @Schema(description = "Values of `quantization.attention`; none without cost model `analytic`.")
            List<AttentionQuantization> attention,

            @Schema(
                    description = "True if images count. Otherwise they are rejected for vision checkpoints and ignored"
                            + " for text-only ones.")
            boolean images,

            @Schema(description = "Largest `num_mtp_tokens`.")
            int mtpTokens,

            @Schema(description = "True if `shared_expert_tp` is supported, compiled and without draft tokens.")
            boolean sharedExpertTp,

            @Schema(description = "True if `ep` and `moe_dp` sizes count. Otherwise they are ignored.")
            boolean expertParallelism,

            @Schema(
                    description = "True if decode context parallelism is supported. Otherwise `parallel.dcp` and"
                            + " `search.dcp_sizes` above 1 are rejected.")
            boolean dcp) {
        private static final QuantizationScheme USUAL = new QuantizationScheme(
                LinearQuantization.W8A8_DYNAMIC,
                AttentionQuantization.DISABLED,
                QuantizationScheme.DEFAULT_MXFP4_GROUP_SIZE);
        private static final Execution STEADY_PASSES = new Execution(true, 0, 0, PassAccounting.STEADY, false, false);

        private static SupportResponse from(ModelArchitecture model) {
            boolean analytic = obstacle(model).isEmpty();
            return new SupportResponse(
                    Stream.of(CostModelName.values())
                            .filter(name -> ModelPricing.obstacle(name, model).isEmpty())
                            .toList(),
                    analytic ? compile(model) : List.of(),
                    analytic ? linear(model) : List.of(),
                    analytic ? attention(model) : List.of(),
                    model.vision() != null,
                    model.predictsDrafts() ? ServingRequest.MAX_MTP_TOKENS : 0,
                    analytic && splitsSharedExperts(model),
                    model.experts().isPresent(),
                    analytic && new RooflineCoverage(model).splitsContext());
        }

        private static List<Boolean> compile(ModelArchitecture model) {
            return new RooflineCoverage(model).runsEager() ? List.of(true, false) : List.of(true);
        }

        private static List<LinearQuantization> linear(ModelArchitecture model) {
            return Stream.of(LinearQuantization.values())
                    .filter(linear -> isFree(model, Part.LINEAR_QUANTIZATION, linear, USUAL.attention()))
                    .toList();
        }

        /// Returns the cache quantizations; those that depend on the linear layers need only some of them.
        private static List<AttentionQuantization> attention(ModelArchitecture model) {
            return Stream.of(AttentionQuantization.values())
                    .filter(attention -> isFree(model, Part.CACHE_QUANTIZATION, USUAL.linear(), attention))
                    .toList();
        }

        private static boolean isFree(
                ModelArchitecture model, Part part, LinearQuantization linear, AttentionQuantization attention) {
            QuantizationScheme scheme = new QuantizationScheme(linear, attention, USUAL.mxfp4GroupSize());
            return STEADY_PASSES.obstacles(model, scheme).stream().noneMatch(obstacle -> obstacle.part() == part);
        }

        private static boolean splitsSharedExperts(ModelArchitecture model) {
            return STEADY_PASSES
                    .withSharedExpertsSplit(true)
                    .obstacles(model, USUAL)
                    .isEmpty();
        }

        /// Returns why the analytic model does not support a model with any accounting, or empty if it does.
        static Optional<Obstacle> obstacle(ModelArchitecture model) {
            return STEADY_PASSES.obstacles(model, USUAL).stream()
                    .filter(obstacle -> obstacle.part() == Part.MODEL)
                    .findFirst();
        }
    }

    public static ModelResponse from(ModelArchitecture model, ModelPricing pricing) {
        return new ModelResponse(
                model.id(),
                model.family(),
                ModelFamily.titleOf(model.family()),
                model.parameterCount(),
                model.layers(),
                model.hiddenSize(),
                model.vocabularySize(),
                model.maxPositions(),
                model.contextTokens(),
                AttentionResponse.from(model),
                model.delta()
                        .map(delta -> LinearAttentionResponse.from(delta, model))
                        .orElse(null),
                FeedForwardResponse.from(model),
                CheckpointResponse.from(model),
                SupportResponse.from(model),
                pricing.of(model));
    }

    /// Support of a model by a cost model.
    @Schema(name = "Pricing", description = "Support of a model by a cost model.")
    public record PricingResponse(
            @Schema(description = "The cost model.") CostModelName costModel,

            @Schema(
                    description = "`flagged`: supported, with `flags` on every figure. `refused`: requests are"
                            + " rejected.",
                    allowableValues = {"priced", "flagged", "refused"})
            Outcome outcome,

            @Schema(
                    description = "Uncertainty flags of the figures. `calibrated`: the fewest flags of any figure on"
                            + " any measured device and engine. `images`: images are not priced although the model"
                            + " reads them. `steady`: requires accounting `steady`. `windows`: accounting"
                            + " `documented` prices layers with a sliding window like full attention. `context`:"
                            + " accounting `documented` prices each pass without its context. Absent if there are"
                            + " none.",
                    example = "[\"family\"]")
            @Nullable
            List<String> flags,

            @Schema(description = "Reason why requests are rejected.") @Nullable
            String reason) {

        /// The outcome of requests for the model.
        public enum Outcome {
            PRICED,
            FLAGGED,
            REFUSED
        }

        static PricingResponse refused(CostModelName costModel, String reason) {
            return new PricingResponse(costModel, Outcome.REFUSED, null, reason);
        }

        static PricingResponse priced(CostModelName costModel, List<String> flags) {
            return flags.isEmpty()
                    ? new PricingResponse(costModel, Outcome.PRICED, null, null)
                    : new PricingResponse(costModel, Outcome.FLAGGED, flags, null);
        }
    }
}
