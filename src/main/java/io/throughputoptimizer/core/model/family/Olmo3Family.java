package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.HeadRotation;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.NormStyle;
import io.throughputoptimizer.core.model.SandwichNorms;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import io.throughputoptimizer.core.model.config.WindowConfig;
import java.util.List;
import java.util.Set;

/// OLMo 3: norms behind the parts of a layer alone, and of all heads together, in single operators; most layers see
/// the most recent tokens only, and turn by factors of their own.
final class Olmo3Family implements ModelFamily {
    private static final int ROTATIONS = 2;
    private static final String BIAS = "attention_bias";
    private static final Set<String> KNOWN_KEYS = DecoderConfig.knownKeys(BIAS);

    @Override
    public String modelType() {
        return "olmo3";
    }

    @Override
    public String title() {
        return "OLMo 3";
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
        UnpricedFeatures.refuse(config, "Olmo3ForCausalLM", Set.of(WindowConfig.WINDOW));
        if (config.isOn(BIAS)) {
            throw config.refused(BIAS, "biases of OLMo 3 are not priced");
        }
        AttentionHeads heads = AttentionHeads.multiHeadUnlessGrouped(config);
        AttentionSpec.GroupedQuery full = new AttentionSpec.GroupedQuery(
                        heads.query(), heads.keyValue(), heads.size(), HeadNorm.ACROSS_HEADS, false, false)
                .turning(HeadRotation.WIDE_HALVES);
        AttentionSpec.GroupedQuery sliding = full.within(WindowConfig.window(config));
        FeedForwardSpec feedForward = DecoderConfig.denseFeedForward(config);
        List<LayerGroup> groups = WindowConfig.groups(
                WindowConfig.byTypes(config), slides -> new LayerGroup(1, slides ? sliding : full, feedForward));
        return DecoderConfig.architecture(id, modelType(), config, groups, NormStyle.WIDE, null, null)
                .connectedBy(new SandwichNorms(false, false))
                .computingRotations(ROTATIONS);
    }
}
