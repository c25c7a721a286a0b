package io.throughputoptimizer.core.model.config;

import io.throughputoptimizer.core.model.ModelArchitecture;

/// Heads of grouped-query attention in a configuration, validated by key.
///
/// @param query query heads
/// @param keyValue key and value heads, each shared by the same number of query heads
/// @param size width of a head; even, since the rotation pairs its two halves
public record AttentionHeads(int query, int keyValue, int size) {
    private static final String QUERY = "num_attention_heads";
    private static final String KEY_VALUE = "num_key_value_heads";
    private static final String SIZE = "head_dim";
    private static final String HIDDEN = "hidden_size";

    /// Reads the heads of a family without defaults for missing keys.
    public static AttentionHeads given(HuggingFaceConfig config) {
        return checked(config, keyValueHeads(config), config.count(SIZE, ModelArchitecture.MAX_INNER_WIDTH));
    }

    /// Reads the heads of a family whose default head size is the hidden size divided by the query heads.
    public static AttentionHeads sharingHiddenSize(HuggingFaceConfig config) {
        return checked(config, keyValueHeads(config), headSize(config));
    }

    /// Reads heads as [#sharingHiddenSize]; by default every query head has its own key-value head.
    public static AttentionHeads multiHeadUnlessGrouped(HuggingFaceConfig config) {
        int keyValueHeads = config.has(KEY_VALUE) ? keyValueHeads(config) : queryHeads(config);
        return checked(config, keyValueHeads, headSize(config));
    }

    /// Reads the number of rotated elements of a partly rotated head; must be even.
    public int rotated(HuggingFaceConfig config) {
        String key = UnpricedFeatures.ROTARY_SHARE;
        int rotated = (int) (size * config.fraction(key));
        if (rotated == 0 || rotated % 2 != 0) {
            throw config.refused(
                    key, "it must be an even number of a head's " + size + " elements, and makes " + rotated);
        }
        return rotated;
    }

    /// Reads the number of rotated elements from `key`; a fraction in the configuration must agree.
    public int requireRotated(HuggingFaceConfig config, String key) {
        int rotated = config.count(key, size);
        UnpricedFeatures.requireRotation(
                config,
                rotated / (double) size,
                "it must be " + key + " (" + rotated + ") over the " + size + " elements of a head");
        return rotated;
    }

    private static AttentionHeads checked(HuggingFaceConfig config, int keyValueHeads, int headSize) {
        int queryHeads = queryHeads(config);
        if (queryHeads % keyValueHeads != 0) {
            throw config.invalid(QUERY, "a multiple of " + KEY_VALUE + " (" + keyValueHeads + ")");
        }
        String key = config.has(SIZE) ? SIZE : HIDDEN;
        if (headSize % 2 != 0) {
            throw config.refused(key, "the size of a head must be even, and is " + headSize);
        }
        int max = ModelArchitecture.MAX_INNER_WIDTH;
        if (headSize > max / queryHeads) {
            throw config.refused(key, queryHeads + " heads of size " + headSize + " are wider than " + max);
        }
        return new AttentionHeads(queryHeads, keyValueHeads, headSize);
    }

    private static int headSize(HuggingFaceConfig config) {
        if (config.has(SIZE)) {
            return config.count(SIZE, ModelArchitecture.MAX_INNER_WIDTH);
        }
        int hiddenSize = config.count(HIDDEN, ModelArchitecture.MAX_HIDDEN_SIZE);
        int queryHeads = queryHeads(config);
        if (hiddenSize % queryHeads != 0) {
            throw config.invalid(HIDDEN, "a multiple of " + QUERY + " (" + queryHeads + ") without " + SIZE);
        }
        return hiddenSize / queryHeads;
    }

    private static int queryHeads(HuggingFaceConfig config) {
        return config.count(QUERY, ModelArchitecture.MAX_INNER_WIDTH);
    }

    private static int keyValueHeads(HuggingFaceConfig config) {
        return config.count(KEY_VALUE, ModelArchitecture.MAX_INNER_WIDTH);
    }
}
