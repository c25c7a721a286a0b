package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import io.throughputoptimizer.core.model.config.WindowConfig;
import java.util.List;
import java.util.Set;

/// Mistral and Ministral: as Llama, without biases. With `sliding_window` every layer sees the most recent tokens only,
/// unless `layer_types` says which.
record MistralFamily(String modelType, String title, String modelClass) implements ModelFamily {
    private static final Set<String> KNOWN_KEYS = DecoderConfig.knownKeys();

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
        UnpricedFeatures.refuse(config, modelClass, Set.of(WindowConfig.WINDOW));
        AttentionHeads heads = AttentionHeads.sharingHiddenSize(config);
        AttentionSpec.GroupedQuery full = new AttentionSpec.GroupedQuery(
                heads.query(), heads.keyValue(), heads.size(), HeadNorm.NONE, false, false);
        FeedForwardSpec feedForward = DecoderConfig.denseFeedForward(config);
        List<LayerGroup> groups = WindowConfig.groups(
                WindowConfig.byTypesOrEverywhere(config),
                slides -> new LayerGroup(1, slides ? full.within(WindowConfig.window(config)) : full, feedForward));
        return DecoderConfig.architecture(id, config, groups, false);
    }
}
