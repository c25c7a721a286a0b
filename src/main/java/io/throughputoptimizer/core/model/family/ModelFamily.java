package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.ContextConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import java.util.List;
import java.util.Map;
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

    /// What people call its models, such as `DeepSeek-V3`; families that differ in how they are read may share
    /// it.
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
}
