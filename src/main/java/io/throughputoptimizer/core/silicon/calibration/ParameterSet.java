package io.throughputoptimizer.core.silicon.calibration;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Parameters of one kernel on one device under one backend.
///
/// @param values by name, in the units of [KernelClass]
/// @param notPooled why the set is not used in passes; absent when it is
/// @param assumed why the set is an assumption; absent when it was measured
public record ParameterSet(
        Map<String, Double> values,
        @Nullable String notPooled,
        @Nullable String assumed) {
    /// Time of a kernel that an engine launches besides at some lengths.
    public static final String SWITCH = "switch_us";

    private static final String LAUNCH = "launch_us";

    public ParameterSet {
        values = Map.copyOf(values);
    }

    /// The value of a parameter.
    ///
    /// @throws IllegalArgumentException if the set has none of that name
    public double get(String parameter) {
        return Optional.ofNullable(values.get(parameter))
                .orElseThrow(() -> new IllegalArgumentException("there is no parameter " + parameter));
    }

    /// The value of a parameter that sets may go without; 0 then.
    public double getOrZero(String parameter) {
        return values.getOrDefault(parameter, 0.0);
    }

    /// Whether passes are priced with it before any other.
    boolean isPreferred() {
        return notPooled == null;
    }

    /// The same kernel whose launch takes `factor` times as long.
    ParameterSet withLaunch(double factor) {
        Map<String, Double> changed = new LinkedHashMap<>(values);
        changed.computeIfPresent(LAUNCH, (_, micros) -> micros * factor);
        return new ParameterSet(changed, notPooled, assumed);
    }
}
