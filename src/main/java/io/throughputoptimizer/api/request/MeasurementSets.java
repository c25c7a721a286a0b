package io.throughputoptimizer.api.request;

import io.throughputoptimizer.api.request.FeedbackRequest.ServedRowRequest;
import io.throughputoptimizer.core.kernels.CacheType;
import io.throughputoptimizer.core.kernels.Scheme;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Stored sets of measurements that a caller may name in a request.
@FunctionalInterface
public interface MeasurementSets {
    /// No sets.
    MeasurementSets NONE = _ -> Optional.empty();

    /// Empty for a set of another caller, as for one that is not there.
    ///
    /// @param id as the request has it
    Optional<MeasurementSet> find(String id);

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
}
