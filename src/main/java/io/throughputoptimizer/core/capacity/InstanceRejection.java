package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.RejectedCandidate;
import io.throughputoptimizer.core.workload.Phase;
import org.jspecify.annotations.Nullable;

/// A size that no instance of a phase can have, and why: of all layouts the one that comes nearest says it.
///
/// @param size devices of an instance
/// @param nearest absent where there is no layout to try
/// @param detail for people
public record InstanceRejection(
        DeviceProfile device,
        Phase phase,
        int size,
        @Nullable RejectedCandidate nearest,
        String detail) {}
