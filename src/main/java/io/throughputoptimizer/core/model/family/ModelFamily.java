package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.DraftLayers;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.NormStyle;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.model.config.ContextConfig;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.ExpertConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.HybridConfig;
import io.throughputoptimizer.core.model.config.LatentConfig;
import io.throughputoptimizer.core.model.config.VisionConfig;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Models of one `model_type`: knows which architecture a configuration of that type stands for.
///
/// What the cost model does not cover is refused by the name of the key that asks for it, because ignoring
/// it would price another model than the one meant.
public interface ModelFamily {

    /// Every family that can be priced. A new one is a class, or a constant of [DenseFamilies], and one line
    /// here.
    static List<ModelFamily> all() {
        return List.of(
                DenseFamilies.QWEN3,
                DenseFamilies.QWEN2,
                DenseFamilies.MIMO,
                DenseFamilies.LLAMA,
                new Qwen3MoeFamily(),
                Qwen3VlFamily.dense(),
                Qwen3VlFamily.dense().textOnly(),
                Qwen3VlFamily.routed(),
                Qwen3VlFamily.routed().textOnly(),
                new MiniMaxM2Family(),
                new MiniMaxM3Family(),
                MiniMaxM3Family.textOnly(),
                new GptOssFamily(),
                DenseFamilies.GEMMA_2,
                new Gemma3Family(),
                Gemma3Family.textOnly(),
                new Gemma4Family(),
                Gemma4Family.textOnly(),
                new Llama4Family(),
                Llama4Family.textOnly(),
                DenseFamilies.MISTRAL,
                DenseFamilies.MINISTRAL,
                DenseFamilies.SEED_OSS,
                DenseFamilies.EXAONE_4,
                DenseFamilies.GLM_4,
                DenseFamilies.PHI_3,
                DenseFamilies.ERNIE_4_5,
                new Ernie45MoeFamily(),
                DenseFamilies.OLMO_3,
                new LingFamily(),
                new MiMoV2Family(),
                HybridFamilies.MIXTRAL,
                HybridFamilies.NEMOTRON_H,
                HybridFamilies.NEMOTRON_NAS,
                HybridFamilies.LFM2,
                HybridFamilies.LFM2_MOE,
                HybridFamilies.KIMI_LINEAR,
                new DeepSeekV3Family("deepseek_v3", "DeepSeek-V3"),
                new DeepSeekV3Family("kimi_k2", "Kimi-K2"),
                new DeepSeekV32Family(),
                new DeepSeekV4Family("deepseek_v4"),
                new DeepSeekV4Family("deepseek_ref"),
                new GlmMoeDsaFamily(),
                new Glm4MoeFamily(),
                new Glm4vMoeFamily(),
                new KimiK25Family(),
                new KimiK3Family(),
                Qwen35Family.dense(),
                Qwen35Family.dense().textOnly(),
                Qwen35Family.routed(),
                Qwen35Family.routed().textOnly(),
                new Qwen3NextFamily());
    }

    /// The family that a configuration names as its `model_type`.
    ///
    /// @throws ModelConfigException if there is none of that name; the message lists those there are
    static ModelFamily of(HuggingFaceConfig config) {
        String rule = "supported are "
                + all().stream().map(ModelFamily::modelType).sorted().collect(Collectors.joining(", "));
        String modelType = config.text("model_type", rule);
        return all().stream()
                .filter(family -> family.modelType().equals(modelType))
                .findFirst()
                .orElseThrow(() -> config.refused(
                        "model_type",
                        UnpricedFamilies.reason(modelType)
                                .map(reason -> reason + "; " + rule)
                                .orElse(rule)));
    }

    /// The model that a configuration stands for, with its context limit. How its checkpoint is quantized is
    /// read in a room of its own.
    ///
    /// @param id name under which the model is to be known @throws ModelConfigException if the configuration
    /// cannot be priced
    static ModelArchitecture model(String id, HuggingFaceConfig config) {
        ModelFamily family = of(config);
        ModelArchitecture model = family.architecture(id, config);
        return model.withContext(ContextConfig.tokens(config, model.maxPositions(), family.countsScaling()));
    }

    /// Returns the title of a `model_type`'s family, or the type if it is unknown.
    static String titleOf(String modelType) {
        return all().stream()
                .filter(family -> family.modelType().equals(modelType))
                .map(ModelFamily::title)
                .findFirst()
                .orElse(modelType);
    }

    /// Returns whether checkpoints of a `model_type` take images that are not priced.
    static boolean overlooksImages(String modelType) {
        return all().stream().anyMatch(family -> family.modelType().equals(modelType) && family.overlooksImages());
    }

    /// Returns whether the reference prices layers with a window as if they attended to all tokens; if not, it has
    /// no price of them.
    static boolean overlooksWindows(String modelType) {
        return all().stream().anyMatch(family -> family.modelType().equals(modelType) && family.overlooksWindows());
    }

    /// The `model_type` of its configurations.
    String modelType();

    /// Returns the common name of its models, such as `DeepSeek-V3`; families that differ in how they are
    /// read may share it.
    String title();

    /// Returns whether its checkpoints take images that are not priced.
    default boolean overlooksImages() {
        return false;
    }

    /// Returns whether the reference prices layers with a window as if they attended to all tokens.
    default boolean overlooksWindows() {
        return false;
    }

    /// Returns whether `max_position_embeddings` already includes the scaling of rotary factors, whatever its kind.
    default boolean countsScaling() {
        return false;
    }

    /// Keys that a configuration of this family may have: those that decide its cost, those that are refused
    /// unless harmless, and those known to cost nothing. Any other key is a misspelling or a feature that
    /// is not examined.
    Set<String> knownKeys();

    /// Returns the known keys of sections within a configuration, by section name.
    default Map<String, Set<String>> knownSectionKeys() {
        return Map.of();
    }

    /// The architecture that a configuration stands for.
    ///
    /// @param id name of the model
    /// @throws ModelConfigException if a key is missing, makes no sense or asks for what cannot be priced
    ModelArchitecture architecture(String id, HuggingFaceConfig config);

    /// Known models that no family supports, with the reason: parts without a price, or facts that their configurations
    /// leave out.
    static final class UnpricedFamilies {
        private static final String STEP =
                "published configurations say neither rms_norm_eps, nor whether heads are normalized"
                        + " or gated, nor which of them layers with a window have";
        private static final String GEMMA_3N = "embeddings of each layer and shared caches are not priced";
        private static final String MAMBA = "its operators are not specified";

        private static final Map<String, String> REASONS = Map.ofEntries(
                Map.entry("step3p7", STEP),
                Map.entry("bailing_hybrid", "the lightning attention kernel was not measured"),
                Map.entry(
                        "glm5_next",
                        "neither its indexer over pooled keys nor residual streams of its kind were measured"),
                Map.entry(
                        "deepseek_v41",
                        "prompt and decode run different layers, and tables that are looked up are not modelled"),
                Map.entry("falcon_h1", MAMBA),
                Map.entry("jamba", MAMBA),
                Map.entry("zamba2", MAMBA),
                Map.entry("bamba", MAMBA),
                Map.entry("granitemoehybrid", MAMBA),
                Map.entry("gemma3n", GEMMA_3N),
                Map.entry("gemma3n_text", GEMMA_3N));

        private UnpricedFamilies() {}

        /// Returns why models of a `model_type` are not priced, or empty if unknown.
        static Optional<String> reason(String modelType) {
            return Optional.ofNullable(REASONS.get(modelType));
        }
    }

    /// Qwen3-Next: layers of [Qwen35Family], whose linear attention the reference prices as one operator.
    static final class Qwen3NextFamily implements ModelFamily {
        @Override
        public String modelType() {
            return "qwen3_next";
        }

        @Override
        public String title() {
            return "Qwen3-Next";
        }

        @Override
        public Set<String> knownKeys() {
            return HybridConfig.KNOWN_KEYS;
        }

        @Override
        public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
            HybridConfig.refuseUnpriced(config, List.of("Qwen3NextForCausalLM"));
            return DecoderConfig.withShiftedNorms(id, modelType(), config, HybridConfig.groups(config, true), null);
        }
    }

    /// DeepSeek-V3.2: sparse attention, experts limited to groups. The reference has no multi-token prediction for it.
    static final class DeepSeekV32Family implements ModelFamily {
        private static final Set<String> KNOWN_KEYS = LatentConfig.sparseKeys();

        @Override
        public String modelType() {
            return "deepseek_v32";
        }

        @Override
        public String title() {
            return "DeepSeek-V3.2";
        }

        @Override
        public Set<String> knownKeys() {
            return KNOWN_KEYS;
        }

        @Override
        public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
            LatentConfig.refuseUnpriced(config, "DeepseekV32ForCausalLM");
            LatentConfig.refuseSharedSelection(config);
            int groups = config.count("n_group", FeedForwardSpec.Routing.MAX_EXPERTS);
            var router =
                    new Router.GroupLimited(groups, config.count("topk_group", groups), Router.GroupLimited.SINGLE);
            AttentionSpec attention = LatentConfig.attention(config, LatentConfig.indexer(config));
            return DecoderConfig.architecture(id, config, ExpertConfig.deepSeek(config, attention, router), false);
        }
    }

    /// GLM-4.5V and 4.6V: the decoder of [Glm4MoeFamily] behind a vision tower that is not priced, without drafts.
    static final class Glm4vMoeFamily implements MultimodalFamily {
        private static final String TEXT_TYPE = "glm4v_moe_text";
        private static final Set<String> AROUND = around();

        @Override
        public String modelType() {
            return "glm4v_moe";
        }

        @Override
        public String title() {
            return "GLM-4.5V";
        }

        @Override
        public Set<String> knownKeys() {
            return AROUND;
        }

        @Override
        public Set<String> textKeys() {
            return Glm4MoeFamily.KNOWN_KEYS;
        }

        @Override
        public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
            HuggingFaceConfig text = VisionConfig.text(config, "Glm4vMoeForConditionalGeneration", TEXT_TYPE);
            return Glm4MoeFamily.decoder(id, text, List.of("Glm4vMoeTextModel"), false)
                    .as(modelType());
        }

        private static Set<String> around() {
            Set<String> keys = new HashSet<>(VisionConfig.KNOWN_KEYS);
            keys.addAll(List.of(
                    "image_end_token_id",
                    "image_start_token_id",
                    "quantization_config",
                    "video_end_token_id",
                    "video_start_token_id"));
            return Set.copyOf(keys);
        }
    }

    /// GLM-5 to 5.2: sparse attention, routing of [DeepSeekV3Family]. In 5.2 most layers take the
    /// selection of one before.
    static final class GlmMoeDsaFamily implements ModelFamily {
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
}
