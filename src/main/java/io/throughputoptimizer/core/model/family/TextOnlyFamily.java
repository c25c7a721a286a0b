package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import java.util.Set;
import java.util.function.BiFunction;

/// Decoders that also stand behind a vision tower, published by themselves under a `model_type` of their own.
///
/// @param reader makes the architecture of an id and a configuration without sections
/// @param overlooksWindows whether the reference does
/// @param countsScaling whether `max_position_embeddings` counts the scaling of rotary factors already
record TextOnlyFamily(
        String modelType,
        String title,
        Set<String> knownKeys,
        BiFunction<String, HuggingFaceConfig, ModelArchitecture> reader,
        boolean overlooksWindows,
        boolean countsScaling)
        implements ModelFamily {
    /// Without windows.
    TextOnlyFamily(
            String modelType,
            String title,
            Set<String> knownKeys,
            BiFunction<String, HuggingFaceConfig, ModelArchitecture> reader) {
        this(modelType, title, knownKeys, reader, false, false);
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        return reader.apply(id, config);
    }
}
