package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import java.util.Map;
import java.util.Set;

/// Families whose decoder has a section of its own, behind a vision tower that is not priced.
interface MultimodalFamily extends ModelFamily {
    /// Keys that the section of the decoder may have.
    Set<String> textKeys();

    @Override
    default boolean overlooksImages() {
        return true;
    }

    @Override
    default Map<String, Set<String>> knownSectionKeys() {
        return Map.of(HuggingFaceConfig.TEXT, textKeys());
    }
}
