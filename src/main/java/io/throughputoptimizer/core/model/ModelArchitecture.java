package io.throughputoptimizer.core.model;

/// Facts of a decoder-only transformer that its cost depends on; full sizes, before any sharding.
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
public record ModelArchitecture(
        String id,
        String family,
        int layers,
        int hiddenSize,
        int vocabularySize,
        int maxPositions,
        double rmsNormEpsilon,
        AttentionSpec attention,
        FeedForwardSpec feedForward) {

    public ModelArchitecture {
        requirePositive("layers", layers);
        requirePositive("hidden size", hiddenSize);
        requirePositive("vocabulary size", vocabularySize);
        requirePositive("max positions", maxPositions);
    }

    /// Parameters of the whole model: embedding, output head (always counted apart, as the cost model does),
    /// norms, attention and feed-forward part of every layer.
    public long parameterCount() {
        long perLayer = attention.parameterCount(hiddenSize) + feedForward.parameterCount(hiddenSize) + 2L * hiddenSize;
        return layers * perLayer + 2L * vocabularySize * hiddenSize + hiddenSize;
    }

    static void requirePositive(String field, int value) {
        if (value <= 0) {
            throw new IllegalArgumentException(field + " is " + value + ": a positive whole number is needed");
        }
    }
}
