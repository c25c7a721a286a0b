package io.throughputoptimizer.api.request;

import io.throughputoptimizer.core.kernels.CacheType;
import io.throughputoptimizer.core.kernels.Scheme;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Rows of one server that were stored.
///
/// @param rows each with its lengths and waves
public record MeasurementSet(Group group, List<ServedRowRequest> rows) {
    public MeasurementSet {
        rows = List.copyOf(rows);
    }

    /// Fields that all rows of a set share.
    ///
    /// @param modelConfig absent of a model of the catalogue or of the hub
    /// @param device name in the catalogue
    public record Group(
            @Nullable String modelId,
            @Nullable Map<String, @Nullable Object> modelConfig,
            Scheme scheme,
            CacheType cache,
            String device,
            String backend,
            String version) {}
}
