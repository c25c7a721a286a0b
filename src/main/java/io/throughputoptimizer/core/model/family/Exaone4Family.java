package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.SandwichNorms;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import io.throughputoptimizer.core.model.config.WindowConfig;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/// EXAONE 4: norms behind the parts of a layer alone, and of heads; with a window, most layers see the most
/// recent tokens only. As in the reference, positions turn heads in every layer.
final class Exaone4Family implements ModelFamily {
    private static final Set<String> KNOWN_KEYS = DecoderConfig.knownKeys(WindowConfig.PATTERN);

    @Override
    public String modelType() {
        return "exaone4";
    }

    @Override
    public String title() {
        return "EXAONE 4";
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
        UnpricedFeatures.refuse(config, "Exaone4ForCausalLM", Set.of(WindowConfig.WINDOW));
        AttentionHeads heads = AttentionHeads.sharingHiddenSize(config);
        AttentionSpec.GroupedQuery full = new AttentionSpec.GroupedQuery(
                heads.query(), heads.keyValue(), heads.size(), HeadNorm.PER_HEAD, false, false);
        FeedForwardSpec feedForward = DecoderConfig.denseFeedForward(config);
        List<Boolean> sliding = config.has(WindowConfig.WINDOW)
                ? WindowConfig.byTypes(config)
                : Collections.nCopies(DecoderConfig.layers(config), false);
        List<LayerGroup> groups = WindowConfig.groups(
                sliding,
                slides -> new LayerGroup(1, slides ? full.within(WindowConfig.window(config)) : full, feedForward));
        return DecoderConfig.architecture(id, config, groups, false).connectedBy(new SandwichNorms(false, false));
    }
}
