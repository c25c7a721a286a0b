package io.throughputoptimizer.measurement;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.MeasurementSet;
import io.throughputoptimizer.api.request.MeasurementSets;
import io.throughputoptimizer.api.result.measurement.MeasurementResponse;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Sets of measurements that a request can name: those visible to its caller.
///
/// @param visible tests whether the sets of an owner are visible
public record NamedMeasurements(MeasurementTable table, Predicate<@Nullable String> visible)
        implements MeasurementSets {

    /// @throws InvalidRequestException if plans cannot use the set
    @Override
    public Optional<MeasurementSet> find(String id) {
        UUID parsed;
        try {
            parsed = UUID.fromString(id);
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
        return table.standing(parsed)
                .filter(set -> visible.test(set.owner()))
                .flatMap(set -> table.find(set.id()))
                .map(NamedMeasurements::learntFrom);
    }

    private static MeasurementSet learntFrom(MeasurementResponse measurements) {
        if (!measurements.learntFrom()) {
            throw new InvalidRequestException(List.of(new Violation(
                    "/feedback/measurements",
                    "has " + measurements.id() + ", which no plan learns from: " + measurements.notLearntFrom())));
        }
        return measurements.toSet();
    }
}
