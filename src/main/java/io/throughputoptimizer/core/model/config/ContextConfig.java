package io.throughputoptimizer.core.model.config;

import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.List;

/// How configurations say how long a request may be.
///
/// `max_model_len` says it outright. Else the limit follows from the rotary embedding, as serving engines derive it:
///
/// - `yarn`: `original_max_position_embeddings * factor`, of `max_position_embeddings` where no original is given;
/// - `linear`, `dynamic`: `max_position_embeddings * factor`;
/// - any other scaling, and none, and Gemma 3 always: `max_position_embeddings`, which counts the scaling already.
public final class ContextConfig {
    /// The member that names the limit outright, beside whatever a family knows.
    public static final String EXPLICIT = "max_model_len";

    private static final String YARN = "yarn";
    private static final List<String> SCALED = List.of(YARN, "linear", "dynamic");
    private static final String FACTOR = "factor";
    private static final String ORIGINAL = "original_max_position_embeddings";

    private ContextConfig() {}

    /// @param positions `max_position_embeddings` of the decoder
    /// @param countsScaling whether they count the scaling already, whatever its kind
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
        if (!scaling.has(kind) || !scaling.has(FACTOR) || !SCALED.contains(scaling.text(kind, "a text is needed"))) {
            return positions;
        }
        boolean fromOriginal = scaling.text(kind, "").equals(YARN) && scaling.has(ORIGINAL);
        int unscaled = fromOriginal ? scaling.count(ORIGINAL, ModelArchitecture.MAX_POSITIONS) : positions;
        return (int) Math.min(ModelArchitecture.MAX_POSITIONS, unscaled * scaling.factor(FACTOR));
    }
}
