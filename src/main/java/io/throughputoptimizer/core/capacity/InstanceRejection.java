package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.workload.Phase;
import org.jspecify.annotations.Nullable;

/// A size that no instance of a phase can have, and why: of all layouts the one that comes nearest says it.
///
/// @param device name of the kind of device
/// @param size devices of an instance
/// @param nearest absent where there is no layout to try
/// @param limit that stands in the way; absent where there is nothing to try
/// @param detail for people
public record InstanceRejection(
        String device,
        Phase phase,
        int size,
        @Nullable Nearest nearest,
        @Nullable BindingLimit limit,
        String detail) {

    /// A layout that was tried.
    public sealed interface Nearest {}

    /// By the roofline.
    public record NearestCandidate(Candidate candidate) implements Nearest {}

    /// On a measured device.
    public record NearestDeployment(SiliconDeployment deployment) implements Nearest {}

    /// Where there is nothing to try.
    static InstanceRejection impossible(String device, Phase phase, int size, String reason) {
        return new InstanceRejection(device, phase, size, null, null, reason);
    }
}
