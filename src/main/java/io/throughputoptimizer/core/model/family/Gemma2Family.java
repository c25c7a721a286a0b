package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.WindowConfig;
import java.util.List;
import java.util.Set;

/// Gemma 2: every other layer sees the most recent tokens only; norms before and behind each part of a layer. Bounds of
/// scores and logits cost nothing, as in the reference.
final class Gemma2Family implements ModelFamily {
    private static final int PERIOD = 2;
    private static final int VOCABULARY = 256_000;
    private static final int POSITIONS = 8192;
    private static final int WINDOW = 4096;
    private static final Set<String> KNOWN_KEYS = GemmaConfig.textKeys();

    @Override
    public String modelType() {
        return "gemma2";
    }

    @Override
    public String title() {
        return "Gemma 2";
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
    public ModelArchitecture architecture(String id, HuggingFaceConfig given) {
        HuggingFaceConfig config = given.orElse(GemmaConfig.defaults(VOCABULARY, POSITIONS, WINDOW));
        GemmaConfig.refuse(config, List.of("Gemma2ForCausalLM"));
        AttentionHeads heads = AttentionHeads.given(config);
        boolean bias = config.flag("attention_bias");
        AttentionSpec.GroupedQuery full = new AttentionSpec.GroupedQuery(
                heads.query(), heads.keyValue(), heads.size(), HeadNorm.NONE, bias, bias);
        AttentionSpec.GroupedQuery sliding = full.within(WindowConfig.window(config));
        FeedForwardSpec feedForward = GemmaConfig.feedForward(config);
        List<LayerGroup> groups = WindowConfig.groups(
                WindowConfig.byTypesOrPattern(config, PERIOD),
                slides -> new LayerGroup(1, slides ? sliding : full, feedForward));
        return GemmaConfig.decoder(id, modelType(), config, groups);
    }
}
