package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.kernels.InstanceForm;
import io.throughputoptimizer.core.search.InstanceCounts;

/// Assignment of devices to instances.
public sealed interface InstanceLayout {

    /// Returns the display name.
    default String label() {
        return switch (this) {
            case Equal(var form) -> form.label();
            case Pair(var prefill, var decode, InstanceCounts(int feeding, int fed)) ->
                feeding + " x " + prefill.label() + " feed " + fed + " x " + decode.label();
            case Side(var form, var _) -> form.label();
        };
    }

    /// Equal aggregated instances.
    record Equal(InstanceForm form) implements InstanceLayout {}

    /// Disaggregated prefill and decode instances.
    record Pair(InstanceForm prefill, InstanceForm decode, InstanceCounts counts) implements InstanceLayout {}

    /// One phase of a disaggregated deployment, independent of the other.
    record Side(InstanceForm form, boolean decodes) implements InstanceLayout {}
}
