package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.HeadRotation;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import io.throughputoptimizer.core.model.config.WindowConfig;
import java.util.List;
import java.util.Set;

/// Phi-3 and Phi-4: queries, keys and values in one weight, gate and up in another. With `sliding_window` every layer
/// sees the most recent tokens only.
final class Phi3Family implements ModelFamily {
    private static final String ROTARY_SHARE = UnpricedFeatures.ROTARY_SHARE;
    private static final Set<String> KNOWN_KEYS =
            DecoderConfig.knownKeys("attention_bias", "embd_pdrop", "original_max_position_embeddings", "resid_pdrop");

    @Override
    public String modelType() {
        return "phi3";
    }

    @Override
    public String title() {
        return "Phi-4";
    }

    @Override
    public boolean overlooksWindows() {
        return true;
    }

    @Override
    public Set<String> knownKeys() {
        return KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        UnpricedFeatures.refuse(config, "Phi3ForCausalLM", Set.of(ROTARY_SHARE, WindowConfig.WINDOW));
        if (config.isOn("attention_bias")) {
            throw config.refused("attention_bias", "biases of Phi are not priced");
        }
        AttentionHeads heads = AttentionHeads.multiHeadUnlessGrouped(config);
        AttentionSpec.GroupedQuery whole = new AttentionSpec.GroupedQuery(
                        heads.query(), heads.keyValue(), heads.size(), HeadNorm.NONE, false, false)
                .projecting(AttentionSpec.Projections.JOINED)
                .turning(HeadRotation.HALVES_IN_PARTS);
        boolean turnsAll = !config.has(ROTARY_SHARE) || config.isNumber(ROTARY_SHARE, 1);
        AttentionSpec.GroupedQuery full = turnsAll ? whole : whole.rotating(heads.rotated(config));
        FeedForwardSpec feedForward = DecoderConfig.denseFeedForward(config).joining();
        List<LayerGroup> groups = WindowConfig.groups(
                WindowConfig.byTypesOrEverywhere(config),
                slides -> new LayerGroup(1, slides ? full.within(WindowConfig.window(config)) : full, feedForward));
        return DecoderConfig.architecture(id, config, groups, false);
    }
}
