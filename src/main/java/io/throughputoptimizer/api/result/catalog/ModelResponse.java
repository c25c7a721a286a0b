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
@Schema(name = "Model")
public record ModelResponse(
        String id,
        String modelType,
        String family,
        long parameters,
        int layers,
        int hiddenSize,
        int vocabularySize,
        int maxPositions,
        int maxModelLen,
        AttentionResponse attention,
        @Nullable LinearAttentionResponse linearAttention,
        FeedForwardResponse feedForward,
        @Nullable CheckpointResponse checkpointQuantization,
        SupportResponse supported,
        List<PricingResponse> pricing) {

    /// Kind of attention.
    @Schema(name = "Attention")
    public record AttentionResponse(
            @Schema(allowableValues = {"grouped_query", "multi_head_latent", "compressed"})
            String kind,

            int queryHeads,
            @Nullable Integer keyValueHeads,
            int headSize,
            @Nullable Integer valueSize,
            @Nullable Integer queryRank,
            @Nullable Integer keyValueRank,
            @Nullable Integer selectedTokens,
            @Nullable Integer window) {

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
    @Schema(name = "LinearAttention")
    public record LinearAttentionResponse(int layers, int keyHeads, int valueHeads, int headSize) {
        private static LinearAttentionResponse from(AttentionSpec.GatedDelta delta, ModelArchitecture model) {
            return new LinearAttentionResponse(
                    model.layersOf(delta), delta.keyHeads(), delta.valueHeads(), delta.size());
        }
    }

    /// Kind of feed-forward part.
    @Schema(name = "FeedForward")
    public record FeedForwardResponse(
            @Schema(allowableValues = {"dense", "routed_experts"})
            String kind,

            @Nullable Integer intermediateSize,
            @Nullable Integer experts,
            @Nullable Integer expertsPerToken,
            @Nullable Integer expertWidth,
            @Nullable Integer sharedWidth,
            @Nullable Integer denseLayers) {

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
    @Schema(name = "Support")
    public record SupportResponse(
            List<CostModelName> costModels,
            List<Boolean> compile,
            List<LinearQuantization> linear,
            List<AttentionQuantization> attention,
            boolean images,
            int mtpTokens,
            boolean sharedExpertTp,
            boolean expertParallelism,
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
    @Schema(name = "Pricing")
    public record PricingResponse(
            CostModelName costModel,

            @Schema(allowableValues = {"priced", "flagged", "refused"})
            Outcome outcome,

            @Nullable List<String> flags,
            @Nullable String reason) {

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
