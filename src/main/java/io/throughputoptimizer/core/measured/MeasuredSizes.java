package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.silicon.Speculation;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Sizes to try: absent for the usual ones, empty for powers of two up to the device count.
///
/// @param tp tensor parallel; usually all devices
/// @param dp attention data parallel; usually 1, and with experts all devices beside tp too
/// @param ep expert groups; usually 1 and all devices of a replica
/// @param speculations of decode steps; empty where nobody asks
public record MeasuredSizes(
        @Nullable List<Integer> tp,
        @Nullable List<Integer> dp,
        @Nullable List<Integer> ep,
        List<Speculation> speculations) {
    public MeasuredSizes {
        speculations = List.copyOf(speculations);
    }

    /// Of decode steps that draft nothing.
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

    /// Each deployment with each speculation.
    List<SiliconDeployment> drafting(Stream<SiliconDeployment> plain) {
        return speculations.isEmpty()
                ? plain.toList()
                : plain.flatMap(one -> speculations.stream().map(one::with)).toList();
    }

    /// How many speculations are tried of each layout that decodes, those that draft nothing among them.
    public int speculationsTried() {
        return Math.max(1, speculations.size());
    }
}
