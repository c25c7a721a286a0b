package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.silicon.InstanceForm;

/// How devices are split into instances.
public sealed interface Arrangement {

    /// How it is called.
    default String label() {
        return switch (this) {
            case Equal(var form) -> form.label();
            case Pair(var prefill, var decode, InstanceCounts(int feeding, int fed)) ->
                feeding + " x " + prefill.label() + " feed " + fed + " x " + decode.label();
            case Side(var form, var _) -> form.label();
        };
    }

    /// Equal instances that do both phases.
    record Equal(InstanceForm form) implements Arrangement {}

    /// Prefill instances that feed decode instances.
    record Pair(InstanceForm prefill, InstanceForm decode, InstanceCounts counts) implements Arrangement {}

    /// One kind of instance, whatever is on the other side.
    record Side(InstanceForm form, boolean decodes) implements Arrangement {}
}
