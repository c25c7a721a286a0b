package io.throughputoptimizer.core.kernels.calibration;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Parameters of one kernel on one device under one backend.
///
/// @param values values by name, in the units of [KernelClass]
/// @param notPooled reason why passes do not use the set; absent if they do
/// @param assumed reason why the set is an assumption; absent if it was measured
public record ParameterSet(
        Map<String, Double> values,
        @Nullable String notPooled,
        @Nullable String assumed) {
    /// Time of a kernel that an engine launches additionally at some lengths.
    public static final String SWITCH = "switch_us";

    private static final String LAUNCH = "launch_us";

    /// Launch of a product row by row, which some engines prefer for few rows.
    public static final String VECTOR_LAUNCH = "gemv_launch_us";

    /// Parameters of products row by row.
    public static final List<String> OF_VECTORS =
            List.of(VECTOR_LAUNCH, "gemv_compute_efficiency", "gemv_memory_efficiency");

    public ParameterSet {
        values = Map.copyOf(values);
    }

    /// Returns the value of a parameter.
    ///
    /// @throws IllegalArgumentException if the set has none of that name
    public double get(String parameter) {
        return Optional.ofNullable(values.get(parameter))
                .orElseThrow(() -> new IllegalArgumentException("there is no parameter " + parameter));
    }

    /// Returns the value of an optional parameter; 0 if absent.
    public double getOrZero(String parameter) {
        return values.getOrDefault(parameter, 0.0);
    }

    /// Returns whether the set has an optional parameter.
    public boolean has(String parameter) {
        return values.containsKey(parameter);
    }

    /// Returns whether passes prefer this set.
    boolean isPreferred() {
        return notPooled == null;
    }

    /// Returns a copy with the launch time multiplied by `factor`.
    ParameterSet withLaunch(double factor) {
        Map<String, Double> changed = new LinkedHashMap<>(values);
        List.of(LAUNCH, VECTOR_LAUNCH)
                .forEach(launch -> changed.computeIfPresent(launch, (_, micros) -> micros * factor));
        return new ParameterSet(changed, notPooled, assumed);
    }
}
