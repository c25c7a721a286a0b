package io.throughputoptimizer.core.model;

import org.jspecify.annotations.Nullable;

/// Facts of a decoder-only transformer that its cost depends on; full sizes, before any sharding.
///
/// Sizes are bounded far above any real model, so that products of them, such as the number of parameters,
/// never overflow a `long`.
///
/// @param id name under which the model is known, such as `Qwen/Qwen3-32B`
/// @param family `model_type` of the configuration, such as `qwen3`
/// @param layers decoder layers
/// @param hiddenSize width of the residual stream, `h`
/// @param vocabularySize rows of the embedding table, `V`
/// @param maxPositions rows of the rotary tables (`max_position_embeddings`)
/// @param rmsNormEpsilon decides whether norms fuse with quantization (only at exactly 1e-6)
/// @param attention kind of attention, the same in every layer
/// @param feedForward kind of feed-forward part
/// @param predictsDrafts whether multi-token prediction (MTP) is modelled for it
/// @param vision tower that turns images into tokens; absent when the model reads text only
public record ModelArchitecture(
        String id,
        String family,
        int layers,
        int hiddenSize,
        int vocabularySize,
        int maxPositions,
        double rmsNormEpsilon,
        AttentionSpec attention,
        FeedForwardSpec feedForward,
        boolean predictsDrafts,
        @Nullable VisionSpec vision) {

    static final int MAX_LAYERS = 10_000;
    static final int MAX_HIDDEN_SIZE = 1_000_000;
    /// Bound of what is wide inside a layer: all query heads together, or the feed-forward part.
    static final int MAX_INNER_WIDTH = 10_000_000;

    static final int MAX_VOCABULARY_SIZE = 100_000_000;
    static final int MAX_POSITIONS = 1_000_000_000;

    public ModelArchitecture {
        requireSize("layers", layers, MAX_LAYERS);
        requireSize("hidden size", hiddenSize, MAX_HIDDEN_SIZE);
        requireSize("vocabulary size", vocabularySize, MAX_VOCABULARY_SIZE);
        requireSize("max positions", maxPositions, MAX_POSITIONS);
        if (!(rmsNormEpsilon > 0 && rmsNormEpsilon < 1)) {
            throw new IllegalArgumentException(
                    "rms norm epsilon is " + rmsNormEpsilon + ": a number above 0 and below 1 is needed");
        }
    }

    /// A text model without multi-token prediction.
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
                layers,
                hiddenSize,
                vocabularySize,
                maxPositions,
                rmsNormEpsilon,
                attention,
                feedForward,
                false,
                null);
    }

    /// The same model behind a vision tower, as another `model_type`.
    ModelArchitecture withVision(String modelType, VisionSpec tower) {
        return new ModelArchitecture(
                id,
                modelType,
                layers,
                hiddenSize,
                vocabularySize,
                maxPositions,
                rmsNormEpsilon,
                attention,
                feedForward,
                predictsDrafts,
                tower);
    }

    /// Whether passes that are not compiled are modelled: those of latent attention, of norms across heads and of
    /// other routers than softmax have never been measured.
    public boolean runsEager() {
        boolean knownAttention = switch (attention) {
            case AttentionSpec.GroupedQuery grouped -> grouped.headNorm() != AttentionSpec.HeadNorm.ACROSS_HEADS;
            case AttentionSpec.MultiHeadLatent _ -> false;
        };
        boolean knownFeedForward = switch (feedForward) {
            case FeedForwardSpec.Dense _ -> true;
            case FeedForwardSpec.RoutedExperts routed -> routed.routing().router() instanceof Router.Softmax;
        };
        return knownAttention && knownFeedForward;
    }

    /// Parameters of the whole model: embedding, output head (always counted apart, as the cost model does),
    /// norms, attention and feed-forward part of every layer, and the vision tower.
    public long parameterCount() {
        long perLayer = attention.parameterCount(hiddenSize) + 2L * hiddenSize;
        return layers * perLayer
                + feedForward.parameterCount(hiddenSize, layers)
                + 2L * vocabularySize * hiddenSize
                + hiddenSize
                + (vision == null ? 0 : vision.parameterCount(hiddenSize));
    }

    static void requireSize(String field, int value, int max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(
                    field + " is " + value + ": a whole number from 1 to " + max + " is needed");
        }
    }
}
