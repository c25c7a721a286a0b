package io.throughputoptimizer.core.model;

import io.throughputoptimizer.core.model.FeedForwardSpec.RoutedExperts;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Architecture of a decoder-only transformer: the parameters that determine its cost, before sharding.
///
/// Sizes are bounded far above any real model, so that products such as the number of parameters never overflow
/// a `long`.
///
/// @param id name of the model, such as `Qwen/Qwen3-32B`
/// @param family `model_type` of the configuration, such as `qwen3`
/// @param groups decoder layers in order, consecutive equal ones grouped; MoE layers have the same expert sizes
/// @param hiddenSize width of the residual stream, `h`
/// @param vocabularySize rows of the embedding table, `V`
/// @param maxPositions rows of the rotary tables (`max_position_embeddings`)
/// @param contextTokens maximum number of tokens of a request, output included
/// @param rmsNormEpsilon epsilon of norms, which fuse with quantization only at exactly 1e-6
/// @param norms storage of norm weights
/// @param tiesEmbeddings true if the output head shares the embedding table
/// @param drafts layers that predict draft tokens; null if multi-token prediction (MTP) is not modeled
/// @param vision vision tower; null if the model reads text only
/// @param idleTower vision tower that msmodeling holds in memory without using it; usually null
/// @param stored quantization of its checkpoint, which affects cost only on request; null if unknown
/// @param connections residual connections; null for the usual single residual stream
/// @param computedRotations kinds of rotary factors computed in each pass; 0 if tables are used
/// @param document configuration of the model; null for a model created in code
public record ModelArchitecture(
        String id,
        String family,
        List<LayerGroup> groups,
        int hiddenSize,
        int vocabularySize,
        int maxPositions,
        int contextTokens,
        double rmsNormEpsilon,
        NormStyle norms,
        boolean tiesEmbeddings,
        @Nullable DraftLayers drafts,
        @Nullable VisionSpec vision,
        @Nullable UnusedVisionTower idleTower,
        @Nullable StoredQuantization stored,
        @Nullable ResidualConnections connections,
        int computedRotations,
        @Nullable ModelDocument document) {

    public static final int MAX_LAYERS = 10_000;
    public static final int MAX_HIDDEN_SIZE = 1_000_000;
    /// Maximum width inside a layer: all query heads together, or the feed-forward network.
    public static final int MAX_INNER_WIDTH = 10_000_000;

    public static final int MAX_VOCABULARY_SIZE = 100_000_000;
    public static final int MAX_POSITIONS = 1_000_000_000;

    public ModelArchitecture {
        groups = List.copyOf(groups);
        requireSize("layers", countLayers(groups), MAX_LAYERS);
        requireSize("hidden size", hiddenSize, MAX_HIDDEN_SIZE);
        requireSize("vocabulary size", vocabularySize, MAX_VOCABULARY_SIZE);
        requireSize("max positions", maxPositions, MAX_POSITIONS);
        requireSize("context", contextTokens, MAX_POSITIONS);
        if (!(rmsNormEpsilon > 0 && rmsNormEpsilon < 1)) {
            throw new IllegalArgumentException(
                    "rms norm epsilon is " + rmsNormEpsilon + ": a number above 0 and below 1 is needed");
        }
        if (computedRotations < 0) {
            throw new IllegalArgumentException("computed rotations is " + computedRotations + ": at least 0 is needed");
        }
        requireOne(
                "kinds of experts",
                experts(groups).map(RoutedExperts::sizes).distinct().count());
        requireOne("sizes of windows", windows(groups).distinct().count());
    }

    /// Returns a copy with another `model_type`.
    public ModelArchitecture as(String modelType) {
        return with(modelType, groups, contextTokens, vision, stored, connections, computedRotations);
    }

    /// Returns a copy with a vision tower and another `model_type`.
    public ModelArchitecture withVision(String modelType, VisionSpec tower) {
        return with(modelType, groups, contextTokens, tower, stored, connections, computedRotations);
    }

    /// Returns a copy with another context length.
    public ModelArchitecture withContext(int tokens) {
        return with(family, groups, tokens, vision, stored, connections, computedRotations);
    }

    /// Returns a copy with another quantization of the checkpoint.
    public ModelArchitecture withStored(@Nullable StoredQuantization quantization) {
        return with(family, groups, contextTokens, vision, quantization, connections, computedRotations);
    }

    /// Returns a copy with other residual connections.
    public ModelArchitecture connectedBy(@Nullable ResidualConnections residuals) {
        return with(family, groups, contextTokens, vision, stored, residuals, computedRotations);
    }

    /// Returns a copy with another number of computed kinds of rotary factors.
    public ModelArchitecture computingRotations(int kinds) {
        return with(family, groups, contextTokens, vision, stored, connections, kinds);
    }

    /// Returns a copy whose layers with a window attend to all tokens.
    public ModelArchitecture withoutWindows() {
        List<LayerGroup> unbounded = groups.stream()
                .map(group -> group.attention() instanceof AttentionSpec.GroupedQuery grouped && grouped.slides()
                        ? new LayerGroup(group.count(), grouped.within(0), group.feedForward())
                        : group)
                .toList();
        return withLayers(unbounded);
    }

    /// Returns a copy with other layers.
    public ModelArchitecture withLayers(List<LayerGroup> layers) {
        return with(family, LayerGroup.joined(layers), contextTokens, vision, stored, connections, computedRotations);
    }

    private ModelArchitecture with(
            String modelType,
            List<LayerGroup> layers,
            int tokens,
            @Nullable VisionSpec tower,
            @Nullable StoredQuantization quantization,
            @Nullable ResidualConnections residuals,
            int rotations) {
        return new ModelArchitecture(
                id,
                modelType,
                layers,
                hiddenSize,
                vocabularySize,
                maxPositions,
                tokens,
                rmsNormEpsilon,
                norms,
                tiesEmbeddings,
                drafts,
                tower,
                idleTower,
                quantization,
                residuals,
                rotations,
                document);
    }

    /// Returns a copy that names its configuration, or none.
    public ModelArchitecture readFrom(@Nullable ModelDocument source) {
        return new ModelArchitecture(
                id,
                family,
                groups,
                hiddenSize,
                vocabularySize,
                maxPositions,
                contextTokens,
                rmsNormEpsilon,
                norms,
                tiesEmbeddings,
                drafts,
                vision,
                idleTower,
                stored,
                connections,
                computedRotations,
                source);
    }

    /// Returns the number of decoder layers.
    public int layers() {
        return countLayers(groups);
    }

    /// Returns the distinct kinds of attention, in layer order.
    public List<AttentionSpec> attentions() {
        return groups.stream().map(LayerGroup::attention).distinct().toList();
    }

    /// Returns the experts of the first MoE layers; empty for a dense model.
    public Optional<RoutedExperts> experts() {
        return experts(groups).findFirst();
    }

    /// Returns the width of the rotary tables: the rotated elements of a head.
    public int rotaryWidth() {
        return groups.stream()
                .mapToInt(group -> group.attention().rotaryWidth())
                .max()
                .orElseThrow();
    }

    /// Returns the correct rotary width where msmodeling has wider tables.
    public int rotatedWidth() {
        return groups.stream()
                .mapToInt(group -> group.attention().rotatedWidth())
                .max()
                .orElseThrow();
    }

    /// Returns attention with compressed entries of any layer, or empty; layers differ only in the compression.
    public Optional<CompressedSpec> compressed() {
        return attentions().stream()
                .filter(CompressedSpec.class::isInstance)
                .map(CompressedSpec.class::cast)
                .findFirst();
    }

    /// Returns the model with its first draft layer in place of its layers.
    ///
    /// @throws IllegalStateException if it does not predict drafts
    public ModelArchitecture drafting() {
        DraftLayers layer = drafts;
        if (layer == null) {
            throw new IllegalStateException(family + " predicts no drafts");
        }
        return new ModelArchitecture(
                id,
                family,
                List.of(new LayerGroup(1, layer.attention(), layer.feedForward())),
                hiddenSize,
                vocabularySize,
                maxPositions,
                contextTokens,
                rmsNormEpsilon,
                norms,
                tiesEmbeddings,
                null,
                null,
                null,
                stored,
                connections,
                computedRotations,
                document);
    }

    /// Returns whether multi-token prediction is modeled.
    public boolean predictsDrafts() {
        return drafts != null;
    }

    /// Returns the gated delta rule, which is the same in all its layers, or empty.
    public Optional<AttentionSpec.GatedDelta> delta() {
        return attentions().stream()
                .filter(AttentionSpec.GatedDelta.class::isInstance)
                .map(AttentionSpec.GatedDelta.class::cast)
                .findFirst();
    }

    /// Returns whether some layers keep a state of each request, which no prefix cache can find.
    public boolean keepsStates() {
        return attentions().stream()
                .anyMatch(attention -> attention instanceof AttentionSpec.GatedDelta
                        || attention instanceof HybridSpec.StateSpace
                        || attention instanceof HybridSpec.ShortConvolution);
    }

    /// Returns whether scalars fitted on servers of models with experts apply: to grouped queries (with or without
    /// a window), latents and hybrids, but neither to the gated delta rule nor to selected or compressed tokens.
    public boolean takesFittedScalars() {
        return attentions().stream().allMatch(attention -> switch (attention) {
            case AttentionSpec.GroupedQuery _ -> true;
            case AttentionSpec.MultiHeadLatent latent -> latent.indexer() == null;
            case HybridSpec _ -> true;
            case AttentionSpec.GatedDelta delta -> delta.gatesNarrowly();
            case AttentionSpec.BlockSparse _, CompressedSpec _ -> false;
        });
    }

    /// Returns the number of layers with a kind of attention.
    public int layersOf(AttentionSpec attention) {
        return groups.stream()
                .filter(group -> group.attention().equals(attention))
                .mapToInt(LayerGroup::count)
                .sum();
    }

    /// Returns whether some layers cache keys and values in the narrow form of latent attention.
    public boolean cachesLatent() {
        return groups.stream().anyMatch(group -> group.attention() instanceof AttentionSpec.MultiHeadLatent);
    }

    /// Returns whether some layers have a window.
    public boolean slides() {
        return window().isPresent();
    }

    /// Returns the window, which is equal in all layers that have one, or empty.
    public Optional<Integer> window() {
        return windows(groups).findFirst();
    }

    /// Returns whether windows do not slide: tokens attend within chunks.
    public boolean attendsInChunks() {
        return groups.stream()
                .anyMatch(
                        group -> group.attention() instanceof AttentionSpec.GroupedQuery grouped && grouped.inChunks());
    }

    private static Stream<Integer> windows(List<LayerGroup> groups) {
        return groups.stream()
                .map(LayerGroup::attention)
                .filter(AttentionSpec.GroupedQuery.class::isInstance)
                .map(AttentionSpec.GroupedQuery.class::cast)
                .filter(AttentionSpec.GroupedQuery::slides)
                .map(AttentionSpec.GroupedQuery::window);
    }

    /// Returns whether some layers concatenate heads from rotated and other parts.
    public boolean joinsHeads() {
        return groups.stream()
                .anyMatch(group ->
                        group.attention() instanceof AttentionSpec.GroupedQuery grouped && grouped.joinsHeads());
    }

    /// Returns whether heads are rotated in float32, with float32 factors.
    public boolean rotatesWide() {
        return groups.stream()
                .anyMatch(group -> group.attention() instanceof AttentionSpec.GroupedQuery grouped
                        && grouped.rotation().isWide());
    }

    /// Returns whether checkpoints hold projections in one weight that msmodeling keeps whole on every rank.
    public boolean joinsProjections() {
        return groups.stream()
                .anyMatch(group -> (group.attention() instanceof AttentionSpec.GroupedQuery grouped && grouped.joined())
                        || (group.feedForward() instanceof FeedForwardSpec.Dense dense && dense.joined()));
    }

    /// Returns whether some layers have a storage of projections.
    public boolean projects(AttentionSpec.Projections held) {
        return groups.stream()
                .anyMatch(group -> group.attention() instanceof AttentionSpec.GroupedQuery grouped
                        && grouped.projections() == held);
    }

    /// Returns whether rotary factors are computed in each pass instead of looked up.
    public boolean computesRotations() {
        return computedRotations > 0;
    }

    /// Returns whether some layers attend to selected blocks of tokens.
    public boolean selectsBlocks() {
        return groups.stream().anyMatch(group -> group.attention() instanceof AttentionSpec.BlockSparse);
    }

    /// Returns whether some layers reuse the selection of an earlier layer.
    public boolean sharesSelections() {
        return groups.stream()
                .anyMatch(group -> group.attention() instanceof AttentionSpec.MultiHeadLatent latent
                        && latent.indexer() != null
                        && latent.indexer().reused());
    }

    /// Returns the parameters of the whole model: embedding, output head (always counted separately, as the
    /// cost model does), norms, attention and feed-forward network of every layer, residual mixtures, and the
    /// vision tower.
    public long parameterCount() {
        return groups.stream()
                        .mapToLong(group -> group.parameterCount(hiddenSize))
                        .sum()
                + 2L * vocabularySize * hiddenSize
                + hiddenSize
                + (connections == null ? 0 : connections.parameterCount(hiddenSize, layers()))
                + (vision == null ? 0 : vision.parameterCount(hiddenSize));
    }

    private static int countLayers(List<LayerGroup> groups) {
        return groups.stream().mapToInt(LayerGroup::count).sum();
    }

    private static Stream<RoutedExperts> experts(List<LayerGroup> groups) {
        return groups.stream()
                .map(LayerGroup::feedForward)
                .filter(RoutedExperts.class::isInstance)
                .map(RoutedExperts.class::cast);
    }

    private static void requireOne(String what, long number) {
        if (number > 1) {
            throw new IllegalArgumentException("layers of " + number + " " + what + ": at most one is needed");
        }
    }

    static void requireSize(String field, int value, int max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(
                    field + " is " + value + ": a whole number from 1 to " + max + " is needed");
        }
    }
}
