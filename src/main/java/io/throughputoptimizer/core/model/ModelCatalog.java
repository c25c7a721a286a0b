package io.throughputoptimizer.core.model;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Models by id, in the given order. Immutable.
public final class ModelCatalog {
    private final Map<String, ModelArchitecture> byId = new LinkedHashMap<>();

    /// @throws IllegalArgumentException if two models have the same id
    public ModelCatalog(Collection<ModelArchitecture> models) {
        for (ModelArchitecture model : models) {
            if (byId.put(model.id(), model) != null) {
                throw new IllegalArgumentException("model " + model.id() + " is listed twice: ids are unique");
            }
        }
    }

    /// Returns the model of an id such as `Qwen/Qwen3-32B`, matched exactly.
    public Optional<ModelArchitecture> find(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    /// Returns all ids, in order.
    public List<String> ids() {
        return List.copyOf(byId.keySet());
    }

    /// Returns all models, in order.
    public List<ModelArchitecture> all() {
        return List.copyOf(byId.values());
    }
}
