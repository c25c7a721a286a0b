package io.throughputoptimizer.core.model.config;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.DraftLayers;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.NormStyle;
import io.throughputoptimizer.core.model.UnusedVisionTower;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the keys common to decoders of all families.
public final class DecoderConfig {
    private static final String TIED_EMBEDDINGS = "tie_word_embeddings";

    /// Keys that affect the cost.
    private static final Set<String> PRICED_KEYS = Set.of(
            "model_type",
            "hidden_size",
            "intermediate_size",
            "num_hidden_layers",
            "num_attention_heads",
            "num_key_value_heads",
            "head_dim",
            "vocab_size",
            "max_position_embeddings",
            "rms_norm_eps");

    /// Keys that do not affect the cost. Rotary scaling changes values of the rotary tables, not their size.
    /// The analytic model prices a tied output head as a separate weight. Checkpoint quantization is set by the
    /// deployment.
    private static final Set<String> FREE_KEYS = Set.of(
            "_name_or_path",
            "attention_dropout",
            "auto_map",
            "bos_token_id",
            "compression_config",
            "dtype",
            "eos_token_id",
            "initializer_range",
            "max_window_layers",
            "pad_token_id",
            "pretraining_tp",
            "quantization_config",
            "rope_theta",
            TIED_EMBEDDINGS,
            "torch_dtype",
            "transformers_version",
            "use_cache",
            "use_mrope");

    private DecoderConfig() {}

    /// Returns all keys known to a family.
    ///
    /// @param further keys known to this family only
    public static Set<String> knownKeys(String... further) {
        Set<String> keys = new HashSet<>(Set.of(further));
        keys.addAll(PRICED_KEYS);
        keys.addAll(FREE_KEYS);
        keys.addAll(UnpricedFeatures.KEYS);
        return Set.copyOf(keys);
    }

    /// @param predictsDrafts true if multi-token prediction is modeled
    public static ModelArchitecture architecture(
            String id, HuggingFaceConfig config, List<LayerGroup> groups, boolean predictsDrafts) {
        return architecture(
                id,
                config.text("model_type"),
                config,
                groups,
                NormStyle.PLAIN,
                predictsDrafts ? DraftLayers.like(groups.getLast()) : null,
                null);
    }

    /// Creates a model whose norms store their difference from 1.
    ///
    /// @param family `model_type` of the whole configuration
    /// @param drafts layers that predict draft tokens; null if there are none
    public static ModelArchitecture withShiftedNorms(
            String id, String family, HuggingFaceConfig config, List<LayerGroup> groups, @Nullable DraftLayers drafts) {
        return architecture(id, family, config, groups, NormStyle.SHIFTED, drafts, null);
    }

    /// Creates a model from a section of a configuration.
    ///
    /// @param family `model_type` of the whole configuration
    /// @param drafts layers that predict draft tokens; null if there are none
    public static ModelArchitecture architecture(
            String id,
            String family,
            HuggingFaceConfig config,
            List<LayerGroup> groups,
            NormStyle norms,
            @Nullable DraftLayers drafts,
            @Nullable UnusedVisionTower idleTower) {
        int hiddenSize = config.count("hidden_size", ModelArchitecture.MAX_HIDDEN_SIZE);
        int vocabularySize = config.count("vocab_size", ModelArchitecture.MAX_VOCABULARY_SIZE);
        int positions = config.count("max_position_embeddings", ModelArchitecture.MAX_POSITIONS);
        return new ModelArchitecture(
                id,
                family,
                groups,
                hiddenSize,
                vocabularySize,
                positions,
                positions,
                config.fraction("rms_norm_eps"),
                norms,
                config.flag(TIED_EMBEDDINGS),
                drafts,
                null,
                idleTower,
                null,
                null,
                0,
                null);
    }

    /// Rejects a list with fewer entries than layers. Further entries are ignored: they belong to a model with
    /// more layers.
    public static <T> List<T> requireEachLayer(HuggingFaceConfig config, String key, List<T> entries, int layers) {
        if (entries.size() < layers) {
            throw config.invalid(key, "a list of one element per layer (" + layers + ")");
        }
        return entries;
    }

    public static int layers(HuggingFaceConfig config) {
        return config.count("num_hidden_layers", ModelArchitecture.MAX_LAYERS);
    }

    public static FeedForwardSpec.Dense denseFeedForward(HuggingFaceConfig config) {
        return new FeedForwardSpec.Dense(config.count("intermediate_size", ModelArchitecture.MAX_INNER_WIDTH));
    }

    /// Creates a model with identical layers and no multi-token prediction.
    public static ModelArchitecture uniform(
            String id, HuggingFaceConfig config, AttentionSpec attention, FeedForwardSpec feedForward) {
        return architecture(id, config, List.of(new LayerGroup(layers(config), attention, feedForward)), false);
    }
}
