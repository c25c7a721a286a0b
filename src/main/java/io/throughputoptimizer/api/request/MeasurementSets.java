package io.throughputoptimizer.api.request;

import java.util.Optional;

/// Stored sets of measurements that a caller may name in a request.
@FunctionalInterface
public interface MeasurementSets {
    /// No sets.
    MeasurementSets NONE = _ -> Optional.empty();

    /// Empty for a set of another caller, as for one that is not there.
    ///
    /// @param id as the request has it
    Optional<MeasurementSet> find(String id);
}
