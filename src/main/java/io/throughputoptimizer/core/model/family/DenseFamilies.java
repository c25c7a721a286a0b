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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/// Families of dense decoders with grouped-query attention, which differ in the keys that they read: biases,
/// head sizes and norms, windows.
final class DenseFamilies {
    private static final String BIAS = "attention_bias";
    private static final String OUTPUT_BIAS = "attention_out_bias";
    private static final String ROTARY_SHARE = UnpricedFeatures.ROTARY_SHARE;
    private static final int GEMMA_2_PERIOD = 2;
    private static final int GEMMA_2_VOCABULARY = 256_000;
    private static final int GEMMA_2_POSITIONS = 8192;
    private static final int GEMMA_2_WINDOW = 4096;
    private static final int OLMO_3_ROTATIONS = 2;

    static final Set<String> QWEN3_KEYS = DecoderConfig.knownKeys(BIAS);

    /// Llama: `attention_bias` puts biases on all four projections of attention.
    static final ModelFamily LLAMA =
            new DecoderFamily("llama", "Llama 3", DecoderConfig.knownKeys(BIAS), DenseFamilies::llama);

    /// Qwen2 and Qwen2.5: the q, k and v projections always have biases, the output projection never.
    static final ModelFamily QWEN2 = new DecoderFamily(
            "qwen2",
            "Qwen2.5",
            DecoderConfig.knownKeys(BIAS),
            (id, config) -> qwen2(id, config, "Qwen2ForCausalLM", Set.of()));

    /// MiMo-7B: as Qwen2; its draft layer is not priced.
    static final ModelFamily MIMO = new DecoderFamily(
            "mimo",
            "MiMo",
            DecoderConfig.knownKeys(BIAS),
            (id, config) -> qwen2(id, config, "MiMoForCausalLM", Set.of("num_nextn_predict_layers")));

    /// Qwen3: queries and keys are normalized per head; `attention_bias` puts biases on all four projections of
    /// attention. The size of a head is independent of the hidden size and must be given.
    static final ModelFamily QWEN3 =
            new DecoderFamily("qwen3", "Qwen3", QWEN3_KEYS, (id, config) -> qwen3(id, config, "Qwen3ForCausalLM"));

    /// Seed-OSS: `attention_bias` puts biases on queries, keys and values, `attention_out_bias` on the output
    /// projection.
    static final ModelFamily SEED_OSS = new DecoderFamily(
            "seed_oss",
            "Seed-OSS",
            DecoderConfig.knownKeys(BIAS, OUTPUT_BIAS, "residual_dropout"),
            DenseFamilies::seedOss);

    /// ERNIE-4.5: as Llama, with heads that are turned by neighbours in float32.
    static final ModelFamily ERNIE_4_5 = new DecoderFamily(
            "ernie4_5",
            "ERNIE-4.5",
            DecoderConfig.knownKeys(Ernie45MoeFamily.BIAS, "compression_ratio", "freq_allocation"),
            DenseFamilies::ernie45);

    /// GLM-4-0414: norms before and behind each part of a layer, heads turned in part by neighbours, gate and
    /// up in one weight.
    static final ModelFamily GLM_4 =
            new DecoderFamily("glm4", "GLM-4-0414", DecoderConfig.knownKeys(BIAS), DenseFamilies::glm4);

    /// Mistral: as Llama, without biases. With `sliding_window` every layer sees the most recent tokens only,
    /// unless `layer_types` says which.
    static final ModelFamily MISTRAL = withWindows(
            "mistral", "Mistral", DecoderConfig.knownKeys(), (id, config) -> mistral(id, config, "MistralForCausalLM"));

    /// Ministral: as Mistral.
    static final ModelFamily MINISTRAL = withWindows(
            "ministral",
            "Ministral",
            DecoderConfig.knownKeys(),
            (id, config) -> mistral(id, config, "MinistralForCausalLM"));

    /// EXAONE 4: norms behind the parts of a layer alone, and of heads; with a window, most layers see the most
    /// recent tokens only. As in the reference, positions turn heads in every layer.
    static final ModelFamily EXAONE_4 =
            withWindows("exaone4", "EXAONE 4", DecoderConfig.knownKeys(WindowConfig.PATTERN), DenseFamilies::exaone4);

    /// Gemma 2: every other layer sees the most recent tokens only; norms before and behind each part of a
    /// layer. Bounds of scores and logits cost nothing, as in the reference.
    static final ModelFamily GEMMA_2 = withWindows("gemma2", "Gemma 2", GemmaConfig.textKeys(), DenseFamilies::gemma2);

    /// Phi-3 and Phi-4: queries, keys and values in one weight, gate and up in another. With `sliding_window`
    /// every layer sees the most recent tokens only.
    static final ModelFamily PHI_3 = withWindows(
            "phi3",
            "Phi-4",
            DecoderConfig.knownKeys(BIAS, "embd_pdrop", "original_max_position_embeddings", "resid_pdrop"),
            DenseFamilies::phi3);

    /// OLMo 3: norms behind the parts of a layer alone, and of all heads together, in single operators; most
    /// layers see the most recent tokens only, and turn by factors of their own.
    static final ModelFamily OLMO_3 =
            withWindows("olmo3", "OLMo 3", DecoderConfig.knownKeys(BIAS), DenseFamilies::olmo3);

    private DenseFamilies() {}

    private static ModelFamily withWindows(
            String modelType,
            String title,
            Set<String> knownKeys,
            BiFunction<String, HuggingFaceConfig, ModelArchitecture> reader) {
        return new DecoderFamily(modelType, title, knownKeys, reader, true, false);
    }

    private static ModelArchitecture llama(String id, HuggingFaceConfig config) {
        UnpricedFeatures.refuse(config, "LlamaForCausalLM", Set.of());
        AttentionHeads heads = AttentionHeads.multiHeadUnlessGrouped(config);
        boolean bias = config.flag(BIAS);
        return uniform(id, config, attention(heads, HeadNorm.NONE, bias, bias));
    }

    private static ModelArchitecture qwen2(
            String id, HuggingFaceConfig config, String modelClass, Set<String> overlooked) {
        UnpricedFeatures.refuse(config, modelClass, overlooked);
        if (config.has(BIAS) && !config.flag(BIAS)) {
            throw config.refused(BIAS, "only true is priced");
        }
        AttentionHeads heads = AttentionHeads.sharingHiddenSize(config);
        return uniform(id, config, attention(heads, HeadNorm.NONE, true, false));
    }

    /// The decoder of Qwen3, which other families share.
    ///
    /// @param modelClasses those that `architectures` may name
    static ModelArchitecture qwen3(String id, HuggingFaceConfig config, String... modelClasses) {
        UnpricedFeatures.refuse(config, List.of(modelClasses), Set.of());
        AttentionHeads heads = AttentionHeads.given(config);
        boolean bias = config.flag(BIAS);
        return uniform(id, config, attention(heads, HeadNorm.PER_HEAD, bias, bias));
    }

    private static ModelArchitecture seedOss(String id, HuggingFaceConfig given) {
        HuggingFaceConfig config = given.orElse(Map.of(BIAS, true));
        UnpricedFeatures.refuse(config, "SeedOssForCausalLM", Set.of());
        AttentionHeads heads = AttentionHeads.given(config);
        return uniform(id, config, attention(heads, HeadNorm.NONE, config.flag(BIAS), config.flag(OUTPUT_BIAS)));
    }

    private static ModelArchitecture ernie45(String id, HuggingFaceConfig config) {
        UnpricedFeatures.refuse(config, "Ernie4_5ForCausalLM", Set.of());
        return uniform(id, config, Ernie45MoeFamily.attention(config));
    }

    private static ModelArchitecture glm4(String id, HuggingFaceConfig config) {
        UnpricedFeatures.refuse(config, "Glm4ForCausalLM", Set.of(ROTARY_SHARE));
        config.requireNumberIfGiven("rms_norm_eps", 1e-5, "only norms that do not fuse with quantization are priced");
        AttentionHeads heads = AttentionHeads.given(config);
        AttentionSpec attention = attention(heads, HeadNorm.NONE, config.flag(BIAS), false)
                .rotating(heads.rotated(config))
                .turning(HeadRotation.PAIRS);
        FeedForwardSpec feedForward = DecoderConfig.denseFeedForward(config).joining();
        return DecoderConfig.uniform(id, config, attention, feedForward)
                .connectedBy(new SandwichNorms(true, false, false));
    }

    private static ModelArchitecture mistral(String id, HuggingFaceConfig config, String modelClass) {
        UnpricedFeatures.refuse(config, modelClass, Set.of(WindowConfig.WINDOW));
        AttentionHeads heads = AttentionHeads.sharingHiddenSize(config);
        AttentionSpec.GroupedQuery full = attention(heads, HeadNorm.NONE, false, false);
        FeedForwardSpec feedForward = DecoderConfig.denseFeedForward(config);
        List<LayerGroup> groups = sliding(config, WindowConfig.byTypesOrEverywhere(config), full, feedForward);
        return DecoderConfig.architecture(id, config, groups, false);
    }

    private static ModelArchitecture exaone4(String id, HuggingFaceConfig config) {
        UnpricedFeatures.refuse(config, "Exaone4ForCausalLM", Set.of(WindowConfig.WINDOW));
        AttentionHeads heads = AttentionHeads.sharingHiddenSize(config);
        AttentionSpec.GroupedQuery full = attention(heads, HeadNorm.PER_HEAD, false, false);
        FeedForwardSpec feedForward = DecoderConfig.denseFeedForward(config);
        List<Boolean> slides = config.has(WindowConfig.WINDOW)
                ? WindowConfig.byTypes(config)
                : Collections.nCopies(DecoderConfig.layers(config), false);
        return DecoderConfig.architecture(id, config, sliding(config, slides, full, feedForward), false)
                .connectedBy(new SandwichNorms(false, false, false));
    }

    private static ModelArchitecture phi3(String id, HuggingFaceConfig config) {
        UnpricedFeatures.refuse(config, "Phi3ForCausalLM", Set.of(ROTARY_SHARE, WindowConfig.WINDOW));
        if (config.isOn(BIAS)) {
            throw config.refused(BIAS, "biases of Phi are not priced");
        }
        AttentionHeads heads = AttentionHeads.multiHeadUnlessGrouped(config);
        AttentionSpec.GroupedQuery whole = attention(heads, HeadNorm.NONE, false, false)
                .projecting(AttentionSpec.Projections.JOINED)
                .turning(HeadRotation.HALVES_IN_PARTS);
        boolean turnsAll = !config.has(ROTARY_SHARE) || config.isNumber(ROTARY_SHARE, 1);
        AttentionSpec.GroupedQuery full = turnsAll ? whole : whole.rotating(heads.rotated(config));
        FeedForwardSpec feedForward = DecoderConfig.denseFeedForward(config).joining();
        List<LayerGroup> groups = sliding(config, WindowConfig.byTypesOrEverywhere(config), full, feedForward);
        return DecoderConfig.architecture(id, config, groups, false);
    }

    private static ModelArchitecture gemma2(String id, HuggingFaceConfig given) {
        HuggingFaceConfig config =
                given.orElse(GemmaConfig.defaults(GEMMA_2_VOCABULARY, GEMMA_2_POSITIONS, GEMMA_2_WINDOW));
        GemmaConfig.refuse(config, List.of("Gemma2ForCausalLM"));
        AttentionHeads heads = AttentionHeads.given(config);
        boolean bias = config.flag(BIAS);
        AttentionSpec.GroupedQuery full = attention(heads, HeadNorm.NONE, bias, bias);
        AttentionSpec.GroupedQuery sliding = full.within(WindowConfig.window(config));
        FeedForwardSpec feedForward = GemmaConfig.feedForward(config);
        List<LayerGroup> groups = WindowConfig.groups(
                WindowConfig.byTypesOrPattern(config, GEMMA_2_PERIOD),
                slides -> new LayerGroup(1, slides ? sliding : full, feedForward));
        return GemmaConfig.decoder(id, GEMMA_2.modelType(), config, groups);
    }

    private static ModelArchitecture olmo3(String id, HuggingFaceConfig config) {
        UnpricedFeatures.refuse(config, "Olmo3ForCausalLM", Set.of(WindowConfig.WINDOW));
        if (config.isOn(BIAS)) {
            throw config.refused(BIAS, "biases of OLMo 3 are not priced");
        }
        AttentionHeads heads = AttentionHeads.multiHeadUnlessGrouped(config);
        AttentionSpec.GroupedQuery full =
                attention(heads, HeadNorm.ACROSS_HEADS, false, false).turning(HeadRotation.WIDE_HALVES);
        AttentionSpec.GroupedQuery sliding = full.within(WindowConfig.window(config));
        FeedForwardSpec feedForward = DecoderConfig.denseFeedForward(config);
        List<LayerGroup> groups = WindowConfig.groups(
                WindowConfig.byTypes(config), slides -> new LayerGroup(1, slides ? sliding : full, feedForward));
        return DecoderConfig.architecture(id, OLMO_3.modelType(), config, groups, NormStyle.WIDE, null, null)
                .connectedBy(new SandwichNorms(false, false, false))
                .computingRotations(OLMO_3_ROTATIONS);
    }

    private static AttentionSpec.GroupedQuery attention(
            AttentionHeads heads, HeadNorm norm, boolean bias, boolean outputBias) {
        return new AttentionSpec.GroupedQuery(heads.query(), heads.keyValue(), heads.size(), norm, bias, outputBias);
    }

    private static ModelArchitecture uniform(String id, HuggingFaceConfig config, AttentionSpec attention) {
        return DecoderConfig.uniform(id, config, attention, DecoderConfig.denseFeedForward(config));
    }

    /// Layers that see the tokens of the window alone, and those that see all.
    private static List<LayerGroup> sliding(
            HuggingFaceConfig config,
            List<Boolean> sliding,
            AttentionSpec.GroupedQuery full,
            FeedForwardSpec feedForward) {
        return WindowConfig.groups(
                sliding,
                slides -> new LayerGroup(1, slides ? full.within(WindowConfig.window(config)) : full, feedForward));
    }
}
