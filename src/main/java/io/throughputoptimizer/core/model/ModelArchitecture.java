package io.throughputoptimizer.core.model;

import io.throughputoptimizer.core.model.FeedForwardSpec.RoutedExperts;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Facts of a decoder-only transformer that its cost depends on; full sizes, before any sharding.
///
/// Sizes are bounded far above any real model, so that products of them, such as the number of parameters,
/// never overflow a `long`.
///
/// @param id name under which the model is known, such as `Qwen/Qwen3-32B`
/// @param family `model_type` of the configuration, such as `qwen3`
/// @param groups decoder layers in order, equal ones in a row together; those with experts have the same ones
/// @param hiddenSize width of the residual stream, `h`
/// @param vocabularySize rows of the embedding table, `V`
/// @param maxPositions rows of the rotary tables (`max_position_embeddings`)
/// @param contextTokens most tokens of a request, its output included, that the model is made for
/// @param rmsNormEpsilon decides whether norms fuse with quantization (only at exactly 1e-6)
/// @param norms how norms store their weights
/// @param tiesEmbeddings whether the output head reads the embedding table instead of a weight of its own
/// @param drafts layers that predict draft tokens; absent where multi-token prediction (MTP) is not modelled
/// @param vision tower that turns images into tokens; absent when the model reads text only
/// @param idleTower tower that the reference holds in memory without sending images through it; mostly absent
/// @param stored how its checkpoint is quantized, which decides no cost unless asked for; absent where that is unsaid
/// @param connections what layers add their results to; absent with one residual stream, as usual
/// @param computedRotations kinds of rotary factors that each pass computes; 0 where it looks them up in tables
/// @param document configuration that the model was read from; absent for a model that is put together by hand
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
        @Nullable IdleTower idleTower,
        @Nullable StoredQuantization stored,
        @Nullable ResidualConnections connections,
        int computedRotations,
        @Nullable ModelDocument document) {

    public static final int MAX_LAYERS = 10_000;
    public static final int MAX_HIDDEN_SIZE = 1_000_000;
    /// Bound of what is wide inside a layer: all query heads together, or the feed-forward part.
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

    /// A model with one residual stream, whose context is as long as its rotary tables.
    public ModelArchitecture(
            String id,
            String family,
            List<LayerGroup> groups,
            int hiddenSize,
            int vocabularySize,
            int maxPositions,
            double rmsNormEpsilon,
            NormStyle norms,
            boolean tiesEmbeddings,
            @Nullable DraftLayers drafts,
            @Nullable VisionSpec vision,
            @Nullable IdleTower idleTower) {
        this(
                id,
                family,
                groups,
                hiddenSize,
                vocabularySize,
                maxPositions,
                maxPositions,
                rmsNormEpsilon,
                norms,
                tiesEmbeddings,
                drafts,
                vision,
                idleTower,
                null,
                null,
                0,
                null);
    }

    /// A model with plain norms, whose drafts, if it has any, are predicted by layers like its last one.
    public ModelArchitecture(
            String id,
            String family,
            List<LayerGroup> groups,
            int hiddenSize,
            int vocabularySize,
            int maxPositions,
            double rmsNormEpsilon,
            boolean tiesEmbeddings,
            boolean predictsDrafts,
            @Nullable VisionSpec vision) {
        this(
                id,
                family,
                groups,
                hiddenSize,
                vocabularySize,
                maxPositions,
                rmsNormEpsilon,
                NormStyle.PLAIN,
                tiesEmbeddings,
                predictsDrafts ? DraftLayers.like(groups.getLast()) : null,
                vision,
                null);
    }

    /// A text model with an output head of its own, without multi-token prediction, whose layers are all equal.
    public ModelArchitecture(
            String id,
            String family,
            int layers,
            int hiddenSize,
            int vocabularySize,
            int maxPositions,
            double rmsNormEpsilon,
            AttentionSpec attention,
            FeedForwardSpec feedForward) {
        this(
                id,
                family,
                List.of(new LayerGroup(layers, attention, feedForward)),
                hiddenSize,
                vocabularySize,
                maxPositions,
                rmsNormEpsilon,
                false,
                false,
                null);
    }

    /// The same model as another `model_type`.
    public ModelArchitecture as(String modelType) {
        return with(modelType, groups, contextTokens, vision, stored, connections, computedRotations);
    }

    /// The same model behind a vision tower, as another `model_type`.
    public ModelArchitecture withVision(String modelType, VisionSpec tower) {
        return with(modelType, groups, contextTokens, tower, stored, connections, computedRotations);
    }

    /// The same model with a context of that many tokens.
    public ModelArchitecture withContext(int tokens) {
        return with(family, groups, tokens, vision, stored, connections, computedRotations);
    }

    /// The same model, whose checkpoint is quantized like that.
    public ModelArchitecture withStored(@Nullable StoredQuantization quantization) {
        return with(family, groups, contextTokens, vision, quantization, connections, computedRotations);
    }

    /// The same model with other residual connections.
    public ModelArchitecture connectedBy(@Nullable ResidualConnections residuals) {
        return with(family, groups, contextTokens, vision, stored, residuals, computedRotations);
    }

    /// The same model with that many kinds of rotary factors computed in each pass.
    public ModelArchitecture computingRotations(int kinds) {
        return with(family, groups, contextTokens, vision, stored, connections, kinds);
    }

    /// The same model as if layers with a window attended to all tokens.
    public ModelArchitecture withoutWindows() {
        List<LayerGroup> unbounded = groups.stream()
                .map(group -> group.attention() instanceof AttentionSpec.GroupedQuery grouped && grouped.slides()
                        ? new LayerGroup(group.count(), grouped.within(0), group.feedForward())
                        : group)
                .toList();
        return withLayers(unbounded);
    }

    /// The same model with other layers.
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

    /// Returns this model as read from a configuration, or from none.
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

    /// Decoder layers.
    public int layers() {
        return countLayers(groups);
    }

    /// The different kinds of attention, in the order of the layers.
    public List<AttentionSpec> attentions() {
        return groups.stream().map(LayerGroup::attention).distinct().toList();
    }

    /// The experts of those layers that have them; empty for a dense model.
    public Optional<RoutedExperts> experts() {
        return experts(groups).findFirst();
    }

    /// Elements of a head that are rotated: the width of the rotary tables.
    public int rotaryWidth() {
        return groups.stream()
                .mapToInt(group -> group.attention().rotaryWidth())
                .max()
                .orElseThrow();
    }

    /// The same as it should be, where the reference has wider tables.
    public int rotatedWidth() {
        return groups.stream()
                .mapToInt(group -> group.attention().rotatedWidth())
                .max()
                .orElseThrow();
    }

    /// Attention with compressed entries, of any of the layers: they differ in the compression alone; empty if there
    /// is none.
    public Optional<CompressedSpec> compressed() {
        return attentions().stream()
                .filter(CompressedSpec.class::isInstance)
                .map(CompressedSpec.class::cast)
                .findFirst();
    }

    /// The model with the first of its draft layers in place of its own layers.
    ///
    /// @throws IllegalStateException unless it predicts drafts
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

    /// Whether multi-token prediction is modelled.
    public boolean predictsDrafts() {
        return drafts != null;
    }

    /// The layers with the gated delta rule, which share one kind; empty if there are none.
    public Optional<AttentionSpec.GatedDelta> delta() {
        return attentions().stream()
                .filter(AttentionSpec.GatedDelta.class::isInstance)
                .map(AttentionSpec.GatedDelta.class::cast)
                .findFirst();
    }

    /// Whether each layer attends to all tokens that it sees, one by one: by grouped queries,
    /// within a window or not, or by latents. Not so where some keep a state instead, or select
    /// or compress what they attend to.
    public boolean attendsToEachToken() {
        return attentions().stream().allMatch(attention -> switch (attention) {
            case AttentionSpec.GroupedQuery _ -> true;
            case AttentionSpec.MultiHeadLatent latent -> latent.indexer() == null;
            case AttentionSpec.GatedDelta _, AttentionSpec.BlockSparse _, CompressedSpec _ -> false;
        });
    }

    /// Layers of that kind of attention.
    public int layersOf(AttentionSpec attention) {
        return groups.stream()
                .filter(group -> group.attention().equals(attention))
                .mapToInt(LayerGroup::count)
                .sum();
    }

    /// Whether keys and values are cached in the narrow form of latent attention.
    public boolean cachesLatent() {
        return groups.stream().anyMatch(group -> group.attention() instanceof AttentionSpec.MultiHeadLatent);
    }

    /// Whether some layers attend to the most recent tokens only.
    public boolean slides() {
        return window().isPresent();
    }

    /// Most recent tokens that layers with a window attend to, the same in each; empty if there are none.
    public Optional<Integer> window() {
        return windows(groups).findFirst();
    }

    /// Whether the windows do not slide: tokens attend within runs of as many.
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

    /// Whether heads are put together again of what is turned and the rest.
    public boolean joinsHeads() {
        return groups.stream()
                .anyMatch(group ->
                        group.attention() instanceof AttentionSpec.GroupedQuery grouped && grouped.joinsHeads());
    }

    /// Whether heads are turned in float32, by factors of that type.
    public boolean rotatesWide() {
        return groups.stream()
                .anyMatch(group -> group.attention() instanceof AttentionSpec.GroupedQuery grouped
                        && grouped.rotation().isWide());
    }

    /// Whether checkpoints hold projections in one weight that the reference leaves whole on every rank.
    public boolean joinsProjections() {
        return groups.stream()
                .anyMatch(group -> (group.attention() instanceof AttentionSpec.GroupedQuery grouped && grouped.joined())
                        || (group.feedForward() instanceof FeedForwardSpec.Dense dense && dense.joined()));
    }

    /// Whether projections of queries, keys and values are held like that.
    public boolean projects(AttentionSpec.Projections held) {
        return groups.stream()
                .anyMatch(group -> group.attention() instanceof AttentionSpec.GroupedQuery grouped
                        && grouped.projections() == held);
    }

    /// Whether rotary factors are computed in each pass instead of looked up.
    public boolean computesRotations() {
        return computedRotations > 0;
    }

    /// Whether some layers attend to selected blocks of tokens.
    public boolean selectsBlocks() {
        return groups.stream().anyMatch(group -> group.attention() instanceof AttentionSpec.BlockSparse);
    }

    /// Whether some layers attend to the selection of a layer before.
    public boolean sharesSelections() {
        return groups.stream()
                .anyMatch(group -> group.attention() instanceof AttentionSpec.MultiHeadLatent latent
                        && latent.indexer() != null
                        && latent.indexer().reused());
    }

    /// Parameters of the whole model: embedding, output head (always counted apart, as the cost model does),
    /// norms, attention and feed-forward part of every layer, mixtures of residual streams, and the vision tower.
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
