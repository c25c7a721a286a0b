package io.throughputoptimizer.catalog;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Where configurations of models come from that the catalogue lacks. Implementations are thread-safe.
@FunctionalInterface
public interface ModelSource {
    /// Has none.
    ModelSource NONE = _ -> Optional.empty();

    /// The Hugging Face `config.json` of a model; empty if there is none of that id.
    ///
    /// @throws ModelSourceException if it cannot be had
    Optional<Map<String, @Nullable Object>> config(String id);
}
