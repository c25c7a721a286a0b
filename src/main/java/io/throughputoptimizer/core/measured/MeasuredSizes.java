package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.silicon.Speculation;
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
public record MeasuredSizes(
        @Nullable List<Integer> tp,
        @Nullable List<Integer> dp,
        @Nullable List<Integer> ep,
        List<Speculation> speculations) {
    public MeasuredSizes {
        speculations = List.copyOf(speculations);
    }

    /// Creates sizes without speculation.
    public MeasuredSizes(@Nullable List<Integer> tp, @Nullable List<Integer> dp, @Nullable List<Integer> ep) {
        this(tp, dp, ep, List.of());
    }

    public MeasuredSizes withTp(List<Integer> other) {
        return new MeasuredSizes(other, dp, ep, speculations);
    }

    public MeasuredSizes withDp(List<Integer> other) {
        return new MeasuredSizes(tp, other, ep, speculations);
    }

    public MeasuredSizes withEp(List<Integer> other) {
        return new MeasuredSizes(tp, dp, other, speculations);
    }

    /// Returns each deployment with each speculation.
    List<SiliconDeployment> drafting(Stream<SiliconDeployment> plain) {
        return speculations.isEmpty()
                ? plain.toList()
                : plain.flatMap(one -> speculations.stream().map(one::with)).toList();
    }

    /// Returns the number of speculations tried per decoding layout, at least 1.
    public int speculationsTried() {
        return Math.max(1, speculations.size());
    }
}
