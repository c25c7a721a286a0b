package io.throughputoptimizer.core.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The `config.json` of a model, for facts that do not affect cost. Each reading is cached.
public final class ModelDocument {
    private final Map<String, @Nullable Object> entries;
    private final Map<Class<?>, Object> readings = new ConcurrentHashMap<>();

    public ModelDocument(Map<String, ? extends @Nullable Object> entries) {
        this.entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }

    /// Returns a reading of this document, computed at the first call.
    ///
    /// @param kind type of the reading
    public <T> T read(Class<T> kind, Function<Map<String, @Nullable Object>, T> reader) {
        return kind.cast(readings.computeIfAbsent(kind, _ -> reader.apply(entries)));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ModelDocument document && entries.equals(document.entries);
    }

    @Override
    public int hashCode() {
        return entries.hashCode();
    }
}
