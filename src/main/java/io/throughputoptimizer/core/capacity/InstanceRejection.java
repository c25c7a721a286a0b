package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.workload.Phase;
import org.jspecify.annotations.Nullable;

/// A size without a feasible instance in a phase, with the reason of the nearest layout.
///
/// @param device name of the kind of device
/// @param size devices per instance
/// @param nearest nearest layout; null if there is no layout to try
/// @param limit violated limit; null if there is no layout to try
/// @param detail message for people
public record InstanceRejection(
        String device,
        Phase phase,
        int size,
        @Nullable Nearest nearest,
        @Nullable BindingLimit limit,
        String detail) {

    /// A layout that was tried.
    public sealed interface Nearest {}

    /// A layout of the analytic model.
    public record NearestCandidate(Candidate candidate) implements Nearest {}

    /// A layout of the calibrated model.
    public record NearestDeployment(CalibratedDeployment deployment) implements Nearest {}

    /// Returns the rejection of a size without layouts.
    static InstanceRejection impossible(String device, Phase phase, int size, String reason) {
        return new InstanceRejection(device, phase, size, null, null, reason);
    }
}
