package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.VisionConfig;
import io.throughputoptimizer.core.model.config.WindowConfig;
import java.util.List;
import java.util.Set;

/// Gemma 3: five of six layers see the most recent tokens only, and turn by factors of their own; norms before and
/// behind each part of a layer, and of heads. Behind a vision tower, which is not priced, or by itself.
final class Gemma3Family implements MultimodalFamily {
    private static final String TEXT_TYPE = "gemma3_text";
    private static final String TITLE = "Gemma 3";
    private static final int PERIOD = 6;
    private static final int VOCABULARY = 262_208;
    private static final int POSITIONS = 131_072;
    private static final int WINDOW = 4096;
    private static final int ROTATIONS = 2;
    private static final Set<String> TEXT_KEYS = GemmaConfig.textKeys();

    @Override
    public String modelType() {
        return "gemma3";
    }

    @Override
    public String title() {
        return TITLE;
    }

    @Override
    public boolean overlooksWindows() {
        return true;
    }

    @Override
    public boolean countsScaling() {
        return true;
    }

    @Override
    public Set<String> knownKeys() {
        return GemmaConfig.AROUND;
    }

    @Override
    public Set<String> textKeys() {
        return TEXT_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        HuggingFaceConfig text = VisionConfig.text(config, "Gemma3ForConditionalGeneration", TEXT_TYPE);
        return decoder(id, modelType(), text);
    }

    /// The decoder by itself.
    static DecoderFamily textOnly() {
        return new DecoderFamily(
                TEXT_TYPE, TITLE, TEXT_KEYS, (id, config) -> decoder(id, TEXT_TYPE, config), true, true);
    }

    private static ModelArchitecture decoder(String id, String family, HuggingFaceConfig given) {
        HuggingFaceConfig config = given.orElse(GemmaConfig.defaults(VOCABULARY, POSITIONS, WINDOW));
        GemmaConfig.refuse(config, List.of("Gemma3ForCausalLM", "Gemma3TextModel"));
        for (String cap : List.of(GemmaConfig.SCORE_CAP, GemmaConfig.LOGIT_CAP)) {
            if (config.isOn(cap)) {
                throw config.refused(cap, "bounds of scores and logits are not priced for " + TITLE);
            }
        }
        AttentionHeads heads = AttentionHeads.given(config);
        boolean bias = config.flag("attention_bias");
        AttentionSpec.GroupedQuery full = new AttentionSpec.GroupedQuery(
                heads.query(), heads.keyValue(), heads.size(), HeadNorm.PER_HEAD, bias, bias);
        AttentionSpec.GroupedQuery sliding = full.within(WindowConfig.window(config));
        FeedForwardSpec feedForward = GemmaConfig.feedForward(config);
        List<LayerGroup> groups = WindowConfig.groups(
                WindowConfig.byTypesOrPattern(config, PERIOD),
                slides -> new LayerGroup(1, slides ? sliding : full, feedForward));
        return GemmaConfig.decoder(id, family, config, groups).computingRotations(ROTATIONS);
    }
}
