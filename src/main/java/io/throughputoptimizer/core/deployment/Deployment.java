package io.throughputoptimizer.core.deployment;

import io.throughputoptimizer.core.deployment.Obstacle.Part;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One instance of a model on devices of one kind: all that the cost of a forward pass depends on besides
/// the requests in it.
///
/// @param execution how passes are run
public record Deployment(
        ModelArchitecture model,
        DeviceProfile device,
        ParallelLayout layout,
        QuantizationScheme quantization,
        Execution execution) {

    /// How passes are run.
    ///
    /// @param compiled whether the graph is compiled, which fuses and merges operators
    /// @param mtpTokens draft tokens a decode step predicts besides the next one
    /// @param reservedMemoryBytes memory of each device that is kept free
    /// @param accounting what passes count where the reference is wrong
    /// @param splitsSharedExperts whether tensor parallel ranks have a part each of the network that every token
    ///     visits beside its experts; else each has all of it
    public record Execution(
            boolean compiled,
            int mtpTokens,
            double reservedMemoryBytes,
            PassAccounting accounting,
            boolean splitsSharedExperts) {
        /// As the reference counts.
        public Execution(boolean compiled, int mtpTokens, double reservedMemoryBytes) {
            this(compiled, mtpTokens, reservedMemoryBytes, PassAccounting.DOCUMENTED);
        }

        /// With all of the shared experts on every rank.
        public Execution(boolean compiled, int mtpTokens, double reservedMemoryBytes, PassAccounting accounting) {
            this(compiled, mtpTokens, reservedMemoryBytes, accounting, false);
        }

        /// The same with shared experts split over the tensor parallel ranks, or not.
        public Execution withSharedExpertsSplit(boolean split) {
            return new Execution(compiled, mtpTokens, reservedMemoryBytes, accounting, split);
        }

        /// The same with that many draft tokens.
        public Execution withDrafts(int tokens) {
            return new Execution(compiled, tokens, reservedMemoryBytes, accounting, splitsSharedExperts);
        }

        public Execution {
            if (mtpTokens < 0) {
                throw new IllegalArgumentException("mtp tokens is " + mtpTokens + ": at least 0 is needed");
            }
            if (!(reservedMemoryBytes >= 0)) {
                throw new IllegalArgumentException(
                        "reserved memory is " + reservedMemoryBytes + " bytes: at least 0 is needed");
            }
        }

        /// Query length of a decode step: the next token and the draft tokens.
        public int decodeQueryLength() {
            return mtpTokens + 1;
        }

        /// Why the model cannot be run like this on any layout; empty when it can.
        ///
        /// - Sliding windows are modelled for no family.
        /// - Drafts: only families whose multi-token prediction is modelled have them.
        /// - Eager passes are modelled for some families only, and without drafts.
        /// - Latent attention on a quantized cache needs quantized linear layers.
        /// - A scheme for all but the routed experts needs routed experts.
        /// - Attention to selected blocks was never measured with 4-bit weights, nor on a quantized cache.
        /// - Shared experts are split where that is modelled.
        public List<Obstacle> obstacles(ModelArchitecture model, QuantizationScheme quantization) {
            List<Obstacle> obstacles = new ArrayList<>();
            if (model.slides()) {
                obstacles.add(new Obstacle(
                        Part.MODEL,
                        "is " + model.id() + ": sliding window attention of " + model.family()
                                + " is not modelled by cost model analytic"));
            }
            if (mtpTokens > 0 && !model.predictsDrafts()) {
                obstacles.add(new Obstacle(
                        Part.DRAFT_TOKENS,
                        "is " + mtpTokens + ": model " + model.id() + " has no multi-token prediction"));
            }
            if (!compiled && !model.runsEager()) {
                obstacles.add(new Obstacle(
                        Part.COMPILATION,
                        "is false: graphs that are not compiled are not modelled for " + model.family()));
            }
            if (!compiled && mtpTokens > 0 && model.runsEager() && model.predictsDrafts()) {
                obstacles.add(new Obstacle(
                        Part.COMPILATION,
                        "is false: multi-token prediction is not modelled for graphs that are not compiled"));
            }
            if (model.cachesLatent()
                    && quantization.attention().isEnabled()
                    && !quantization.nonExperts().isEnabled()) {
                obstacles.add(new Obstacle(
                        Part.CACHE_QUANTIZATION,
                        "is " + quantization.attention() + ": latent attention needs quantized linears for it"));
            }
            if (quantization.nonExpertLinear() != null && model.experts().isEmpty()) {
                obstacles.add(new Obstacle(
                        Part.NON_EXPERT_QUANTIZATION,
                        "is " + quantization.nonExpertLinear() + ": model " + model.id()
                                + " has no routed experts to quantize otherwise"));
            }
            if (model.selectsBlocks()) {
                refuse4BitWeights(model, Part.LINEAR_QUANTIZATION, quantization.linear())
                        .ifPresent(obstacles::add);
                if (quantization.nonExpertLinear() != null) {
                    refuse4BitWeights(model, Part.NON_EXPERT_QUANTIZATION, quantization.nonExpertLinear())
                            .ifPresent(obstacles::add);
                }
                if (quantization.attention().isEnabled()) {
                    obstacles.add(new Obstacle(
                            Part.CACHE_QUANTIZATION,
                            "is " + quantization.attention() + ": a quantized cache of " + model.family()
                                    + " was never measured"));
                }
            }
            if (splitsSharedExperts) {
                SharedExpertSplit.obstacle(model, compiled, mtpTokens).ifPresent(obstacles::add);
            }
            return obstacles;
        }

        private static Optional<Obstacle> refuse4BitWeights(
                ModelArchitecture model, Part part, LinearQuantization quantization) {
            return switch (quantization.weight()) {
                case PACKED_INT4, MXFP4 ->
                    Optional.of(new Obstacle(
                            part,
                            "is " + quantization + ": 4-bit weights of " + model.family() + " were never measured"));
                case HALF, INT8, FP8 -> Optional.empty();
            };
        }
    }

    /// Why the model cannot be run this way; empty when it can.
    ///
    /// - Windows: attention to the most recent tokens only is not modelled.
    /// - Heads: query heads must divide evenly over the tensor parallel group; key-value heads either divide over
    ///   it or are replicated evenly within it.
    /// - Decode context: ranks that share it divide the tensor parallel group, and each group of them needs a
    ///   key-value head of grouped-query attention; with norms across heads it is not modelled.
    /// - Experts: each expert parallel rank must own at least one, and none may be split into more parts than it
    ///   is wide.
    /// - What the execution asks for is modelled ([Execution#obstacles]).
    public Optional<Obstacle> obstacle() {
        return headObstacle()
                .or(this::contextObstacle)
                .or(() -> model.experts().flatMap(this::expertObstacle))
                .or(() -> execution.obstacles(model, quantization).stream().findFirst());
    }

    private Optional<Obstacle> headObstacle() {
        int tp = layout.tp();
        return model.attentions().stream()
                .map(attention -> switch (attention) {
                    case AttentionSpec.GroupedQuery grouped ->
                        headObstacle(grouped.queryHeads(), grouped.keyValueHeads(), tp);
                    case AttentionSpec.GatedDelta delta ->
                        when(
                                        delta.keyHeads() % tp != 0,
                                        Part.TENSOR_PARALLEL,
                                        delta.keyHeads() + " key heads of linear attention do not divide over tp " + tp)
                                .or(() -> when(
                                        delta.valueHeads() % tp != 0,
                                        Part.TENSOR_PARALLEL,
                                        delta.valueHeads() + " value heads of linear attention do not divide over tp "
                                                + tp));
                    case CompressedSpec compressed -> compressedObstacle(compressed, tp);
                    case AttentionSpec.BlockSparse sparse ->
                        headObstacle(sparse.queryHeads(), sparse.keyValueHeads(), tp)
                                .or(() -> indexObstacle(sparse.indexer(), tp));
                    case AttentionSpec.MultiHeadLatent latent ->
                        when(
                                latent.heads() % tp != 0,
                                Part.TENSOR_PARALLEL,
                                latent.heads() + " heads do not divide over tp " + tp);
                })
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<Obstacle> headObstacle(int queryHeads, int keyValueHeads, int tp) {
        return when(queryHeads % tp != 0, Part.TENSOR_PARALLEL, queryHeads + " query heads do not divide over tp " + tp)
                .or(() -> when(
                        !dividesOrReplicates(keyValueHeads, tp),
                        Part.TENSOR_PARALLEL,
                        keyValueHeads + " key-value heads neither divide over tp " + tp + " nor replicate in it"));
    }

    private static Optional<Obstacle> indexObstacle(AttentionSpec.@Nullable BlockIndexer indexer, int tp) {
        return indexer == null
                ? Optional.empty()
                : when(
                        !dividesOrReplicates(indexer.heads(), tp),
                        Part.TENSOR_PARALLEL,
                        indexer.heads() + " index heads neither divide over tp " + tp + " nor replicate in it");
    }

    private static Optional<Obstacle> compressedObstacle(CompressedSpec attention, int tp) {
        int groups = attention.output().groups();
        int indexHeads = attention.indexer().heads();
        return when(
                        attention.heads() % tp != 0,
                        Part.TENSOR_PARALLEL,
                        attention.heads() + " heads do not divide over tp " + tp)
                .or(() -> when(
                        groups % tp != 0, Part.TENSOR_PARALLEL, groups + " output groups do not divide over tp " + tp))
                .or(() -> when(
                        indexHeads % tp != 0,
                        Part.TENSOR_PARALLEL,
                        indexHeads + " index heads do not divide over tp " + tp));
    }

    private static boolean dividesOrReplicates(int heads, int tp) {
        return heads >= tp ? heads % tp == 0 : tp % heads == 0;
    }

    /// Why the KV cache of a sequence cannot be shared as the layout says; empty when it can.
    private Optional<Obstacle> contextObstacle() {
        int dcp = layout.dcp();
        if (dcp == 1) {
            return Optional.empty();
        }
        int groups = layout.tp() / dcp;
        return when(
                        layout.tp() % dcp != 0,
                        Part.DECODE_CONTEXT_PARALLEL,
                        "is " + dcp + ": it must divide tp " + layout.tp())
                .or(() -> contextObstacle(model, dcp))
                .or(() -> model.attentions().stream()
                        .filter(attention -> attention instanceof AttentionSpec.GroupedQuery grouped
                                && grouped.keyValueHeads() < groups)
                        .map(attention -> new Obstacle(
                                Part.DECODE_CONTEXT_PARALLEL,
                                ((AttentionSpec.GroupedQuery) attention).keyValueHeads()
                                        + " key-value heads are fewer than the " + groups + " groups of dcp " + dcp
                                        + " that tp " + layout.tp() + " has"))
                        .findFirst());
    }

    /// Why a decode context parallel size is not priced for a model, whatever the layout else; empty when it is.
    public static Optional<Obstacle> contextObstacle(ModelArchitecture model, int dcp) {
        return when(
                dcp > 1 && !model.splitsContext(),
                Part.DECODE_CONTEXT_PARALLEL,
                "is " + dcp + ": decode context parallelism is not modelled for " + model.family());
    }

    /// How many times as many tokens the KV cache of a rank holds because of decode context parallelism. With `P`
    /// ranks that share a sequence: latent attention `P`, with an indexer, whose cache is on every rank, 1;
    /// grouped-query attention `min(P, max(1, T / hk))`, as only ranks with the same key-value head save anything.
    public int cacheCapacityFactor() {
        int dcp = layout.dcp();
        return model.attentions().stream()
                .mapToInt(attention -> switch (attention) {
                    case AttentionSpec.GroupedQuery grouped ->
                        Math.min(dcp, Math.max(1, layout.tp() / grouped.keyValueHeads()));
                    case AttentionSpec.GatedDelta _ -> dcp;
                    case AttentionSpec.BlockSparse _ -> 1;
                    case AttentionSpec.MultiHeadLatent latent -> latent.indexer() == null ? dcp : 1;
                    case CompressedSpec _ -> 1;
                })
                .min()
                .orElse(1);
    }

    private Optional<Obstacle> expertObstacle(FeedForwardSpec.RoutedExperts routed) {
        ParallelLayout.ExpertLayout experts = layout.experts();
        if (experts == null) {
            return Optional.of(new Obstacle(
                    Part.EXPERT_PARALLEL, "the layout does not say how to split the experts of " + model.id()));
        }
        int count = routed.routing().experts();
        boolean resharded = experts.ep() > 1 && experts.moeTp() > 1 && experts.moeTp() != layout.tp();
        Optional<Obstacle> shared =
                execution.splitsSharedExperts() ? SharedExpertSplit.obstacle(experts) : Optional.empty();
        return when(
                        experts.ep() > count,
                        Part.EXPERT_PARALLEL,
                        count + " experts do not spread over ep " + experts.ep())
                .or(() -> when(
                        resharded && !execution.compiled(),
                        Part.COMPILATION,
                        "experts split over moe_tp " + experts.moeTp() + " beside tp " + layout.tp()
                                + " are not modelled for passes that are not compiled"))
                .or(() -> when(
                        experts.moeTp() > routed.expertWidth(),
                        Part.EXPERT_PARALLEL,
                        "experts " + routed.expertWidth() + " wide do not split over moe_tp " + experts.moeTp()))
                .or(() -> shared);
    }

    private static Optional<Obstacle> when(boolean obstructed, Part part, String reason) {
        return obstructed ? Optional.of(new Obstacle(part, reason)) : Optional.empty();
    }
}
