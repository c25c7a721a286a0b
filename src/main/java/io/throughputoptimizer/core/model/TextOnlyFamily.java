package io.throughputoptimizer.core.model;

import java.util.Set;
import java.util.function.BiFunction;

/// Decoders that also stand behind a vision tower, published by themselves under a `model_type` of their own.
///
/// @param reader makes the architecture of an id and a configuration without sections
record TextOnlyFamily(
        String modelType,
        String title,
        Set<String> knownKeys,
        BiFunction<String, HuggingFaceConfig, ModelArchitecture> reader)
        implements ModelFamily {
    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        return reader.apply(id, config);
    }
}
