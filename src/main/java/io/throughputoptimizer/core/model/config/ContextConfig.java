package io.throughputoptimizer.core.model.config;

import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.List;

/// Reads the maximum context length of a configuration.
///
/// `max_model_len` is the explicit limit. Otherwise the limit follows from the rotary embedding, as in serving
/// engines:
///
/// - `yarn`: `original_max_position_embeddings * factor`, of `max_position_embeddings` where no original is given;
/// - `linear`, `dynamic`: `max_position_embeddings * factor`;
/// - any other scaling, none, and always Gemma 3: `max_position_embeddings`, which includes the scaling.
public final class ContextConfig {
    /// Key of the explicit limit, known in addition to a family's keys.
    public static final String EXPLICIT = "max_model_len";

    private static final String YARN = "yarn";
    private static final List<String> SCALED = List.of(YARN, "linear", "dynamic");
    private static final String FACTOR = "factor";
    private static final String ORIGINAL = "original_max_position_embeddings";

    private ContextConfig() {}

    /// @param positions `max_position_embeddings` of the decoder
    /// @param countsScaling true if the positions include the scaling, whatever its kind
    public static int tokens(HuggingFaceConfig config, int positions, boolean countsScaling) {
        if (config.has(EXPLICIT)) {
            return config.count(EXPLICIT, ModelArchitecture.MAX_POSITIONS);
        }
        if (countsScaling) {
            return positions;
        }
        HuggingFaceConfig decoder =
                config.has(HuggingFaceConfig.TEXT) ? config.section(HuggingFaceConfig.TEXT) : config;
        HuggingFaceConfig scaling = decoder.section(decoder.has("rope_scaling") ? "rope_scaling" : "rope_parameters");
        String kind = scaling.has("rope_type") ? "rope_type" : "type";
        if (!scaling.has(kind) || !scaling.has(FACTOR) || !SCALED.contains(scaling.text(kind))) {
            return positions;
        }
        boolean fromOriginal = scaling.text(kind, "").equals(YARN) && scaling.has(ORIGINAL);
        int unscaled = fromOriginal ? scaling.count(ORIGINAL, ModelArchitecture.MAX_POSITIONS) : positions;
        return (int) Math.min(ModelArchitecture.MAX_POSITIONS, unscaled * scaling.factor(FACTOR));
    }
}
