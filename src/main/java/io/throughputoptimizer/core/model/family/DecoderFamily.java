package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import java.util.Set;
import java.util.function.BiFunction;

/// A family whose configurations have no sections: dense decoders, and decoders that are also published behind a
/// vision tower under another `model_type`.
///
/// @param reader makes the architecture of an id and a configuration without sections
/// @param overlooksWindows whether the reference does
/// @param countsScaling whether `max_position_embeddings` counts the scaling of rotary factors already
record DecoderFamily(
        String modelType,
        String title,
        Set<String> knownKeys,
        BiFunction<String, HuggingFaceConfig, ModelArchitecture> reader,
        boolean overlooksWindows,
        boolean countsScaling)
        implements ModelFamily {
    /// Without windows.
    DecoderFamily(
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
