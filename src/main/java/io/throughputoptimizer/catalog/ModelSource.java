package io.throughputoptimizer.catalog;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A source of model configurations that are not in the catalog. Implementations are thread-safe.
@FunctionalInterface
public interface ModelSource {
    /// An empty source.
    ModelSource NONE = _ -> Optional.empty();

    /// Returns the Hugging Face `config.json` of a model, or empty if the id is unknown.
    ///
    /// @throws ModelSourceException if it cannot be fetched
    Optional<Map<String, @Nullable Object>> config(String id);
}
