package io.throughputoptimizer.core.deployment;

import static io.throughputoptimizer.core.deployment.Obstacle.when;

import io.throughputoptimizer.core.deployment.Obstacle.Part;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.HybridSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reasons against splitting a model over a layout.
///
/// - Heads: query heads must divide evenly over the tensor parallel group; key-value heads either divide over
///   it or are replicated evenly within it.
/// - Decode context: ranks that share it divide the tensor parallel group, and each group of them needs a
///   key-value head of grouped-query attention; with norms across heads it is not modelled.
/// - Experts: each expert parallel rank must own at least one, and none may be split into more parts than it
///   is wide.
public record LayoutObstacles(ModelArchitecture model, ParallelLayout layout, Execution execution) {

    /// Returns the first obstacle, or empty if there is none.
    Optional<Obstacle> first() {
        return ofHeads(model, layout.tp())
                .or(this::contextObstacle)
                .or(() -> model.experts().flatMap(this::expertObstacle));
    }

    /// Returns the reason heads cannot be split over a number of tensor parallel ranks; empty if they can.
    public static Optional<Obstacle> ofHeads(ModelArchitecture model, int tp) {
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
                    case HybridSpec.StateSpace space -> spaceObstacle(space, tp);
                    case HybridSpec.ShortConvolution _, HybridSpec.Absent _ -> Optional.<Obstacle>empty();
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

    private static Optional<Obstacle> spaceObstacle(HybridSpec.StateSpace space, int tp) {
        return when(
                        space.heads() % tp != 0,
                        Part.TENSOR_PARALLEL,
                        space.heads() + " heads of the state space do not divide over tp " + tp)
                .or(() -> when(
                        !dividesOrReplicates(space.groups(), tp),
                        Part.TENSOR_PARALLEL,
                        space.groups() + " groups of the state space neither divide over tp " + tp
                                + " nor replicate in it"));
    }

    private static boolean dividesOrReplicates(int heads, int tp) {
        return heads >= tp ? heads % tp == 0 : tp % heads == 0;
    }

    /// Returns the reason the ranks of the layout cannot share the KV cache of a sequence; empty if they can.
    private Optional<Obstacle> contextObstacle() {
        int dcp = layout.dcp();
        if (dcp == 1) {
            return Optional.empty();
        }
        int groups = layout.tp() / dcp;
        return when(
                        layout.tp() % dcp != 0,
                        Part.DECODE_CONTEXT_PARALLEL,
                        "dcp " + dcp + " does not divide tp " + layout.tp())
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

    /// Returns the reason a decode context parallel size has no price for a model on any layout; empty if it
    /// has one.
    public static Optional<Obstacle> contextObstacle(ModelArchitecture model, int dcp) {
        return when(
                dcp > 1 && !new RooflineCoverage(model).splitsContext(),
                Part.DECODE_CONTEXT_PARALLEL,
                "dcp " + dcp + " is not supported for " + model.family());
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
                        "moe_tp " + experts.moeTp() + " with tp " + layout.tp() + " requires compile: true"))
                .or(() -> when(
                        experts.moeTp() > routed.expertWidth(),
                        Part.EXPERT_PARALLEL,
                        "experts " + routed.expertWidth() + " wide do not split over moe_tp " + experts.moeTp()))
                .or(() -> shared);
    }
}
