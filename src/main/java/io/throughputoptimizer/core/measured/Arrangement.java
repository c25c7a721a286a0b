package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.silicon.SiliconDeployment;

/// How devices are split into instances.
public sealed interface Arrangement {

    /// How it is called.
    default String label() {
        return switch (this) {
            case Equal(var deployment) -> deployment.layout().label();
            case Pair(var prefill, var decode, InstanceCounts(int feeding, int fed)) ->
                feeding + " x " + prefill.label() + " feed " + fed + " x " + decode.label();
            case Side(var layout, var _) -> layout.label();
        };
    }

    /// Equal instances that do both phases.
    record Equal(SiliconDeployment deployment) implements Arrangement {}

    /// Prefill instances that feed decode instances.
    record Pair(ParallelLayout prefill, ParallelLayout decode, InstanceCounts counts) implements Arrangement {}

    /// One kind of instance, whatever is on the other side.
    record Side(ParallelLayout layout, boolean decodes) implements Arrangement {}
}
