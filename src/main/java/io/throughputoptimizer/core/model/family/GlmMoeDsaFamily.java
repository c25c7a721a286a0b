package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.DraftLayers;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.NormStyle;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.ExpertConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.LatentConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// GLM-5 to 5.2: sparse attention, routing of [DeepSeekV3Family]. In 5.2 most layers take the
/// selection of one before.
final class GlmMoeDsaFamily implements ModelFamily {
    private static final int BIAS_BYTES = 4;
    private static final Set<String> KNOWN_KEYS = LatentConfig.sparseKeys();

    @Override
    public String modelType() {
        return "glm_moe_dsa";
    }

    @Override
    public String title() {
        return "GLM-5";
    }

    @Override
    public Set<String> knownKeys() {
        return KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        LatentConfig.refuseUnpriced(config, "GlmMoeDsaForCausalLM");
        AttentionSpec.Indexer indexer = LatentConfig.indexer(config);
        AttentionSpec own = LatentConfig.attention(config, indexer);
        AttentionSpec reusing = LatentConfig.attention(config, indexer.reusing());
        Router router = new Router.RawLogits(BIAS_BYTES, ExpertConfig.groups(config));
        List<Boolean> reuses = LatentConfig.reusesSelection(config);
        List<LayerGroup> groups = new ArrayList<>();
        for (LayerGroup group : ExpertConfig.deepSeek(config, own, router)) {
            for (int layer = 0; layer < group.count(); layer++) {
                AttentionSpec attention = reuses.get(groups.size()) ? reusing : own;
                groups.add(new LayerGroup(1, attention, group.feedForward()));
            }
        }
        DraftLayers drafts = LatentConfig.hasDraftLayers(config)
                ? DraftLayers.like(new LayerGroup(1, own, groups.getLast().feedForward()))
                : null;
        return DecoderConfig.architecture(
                id, modelType(), config, LayerGroup.joined(groups), NormStyle.PLAIN, drafts, null);
    }
}
