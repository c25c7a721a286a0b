package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.Speculation;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Layout sizes to try: absent for the defaults, empty for powers of two up to the device count.
///
/// @param tp tensor parallel sizes; default all devices
/// @param dp attention data parallel sizes; default 1, and for models with experts every size that divides the
///     devices left by tp
/// @param ep expert groups; default 1 and all devices of a replica
/// @param speculations speculations of decode steps; empty without a request for them
public record CalibratedSizes(
        @Nullable List<Integer> tp,
        @Nullable List<Integer> dp,
        @Nullable List<Integer> ep,
        List<Speculation> speculations) {
    public CalibratedSizes {
        speculations = List.copyOf(speculations);
    }

    /// Creates sizes without speculation.
    public CalibratedSizes(@Nullable List<Integer> tp, @Nullable List<Integer> dp, @Nullable List<Integer> ep) {
        this(tp, dp, ep, List.of());
    }

    public CalibratedSizes withTp(List<Integer> other) {
        return new CalibratedSizes(other, dp, ep, speculations);
    }

    public CalibratedSizes withDp(List<Integer> other) {
        return new CalibratedSizes(tp, other, ep, speculations);
    }

    public CalibratedSizes withEp(List<Integer> other) {
        return new CalibratedSizes(tp, dp, other, speculations);
    }

    /// Returns each deployment with each speculation.
    List<CalibratedDeployment> drafting(Stream<CalibratedDeployment> plain) {
        return speculations.isEmpty()
                ? plain.toList()
                : plain.flatMap(one -> speculations.stream().map(one::with)).toList();
    }

    /// Returns the number of speculations tried per decoding layout, at least 1.
    public int speculationsTried() {
        return Math.max(1, speculations.size());
    }
}
