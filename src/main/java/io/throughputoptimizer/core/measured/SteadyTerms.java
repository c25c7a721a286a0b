package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.silicon.BandBasis.Coverage;
import io.throughputoptimizer.core.silicon.Flag;
import io.throughputoptimizer.core.steady.MeanRequest;
import io.throughputoptimizer.core.steady.Preference;
import io.throughputoptimizer.core.steady.RankBatches;
import io.throughputoptimizer.core.steady.Scan;
import io.throughputoptimizer.core.steady.Traffic;
import io.throughputoptimizer.core.workload.Limits;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What instances on measured devices serve, and what is asked of it, whichever instances these are.
///
/// @param batches requests of a rank; absent for all that it can run
/// @param leastConcurrency requests that a deployment must serve at once
/// @param preference which concurrency is best
/// @param scan how closely concurrencies are looked at
/// @param coverage share of measured figures that bands hold
public record SteadyTerms(
        Traffic traffic,
        Limits limits,
        @Nullable RankBatches batches,
        int leastConcurrency,
        Preference preference,
        Scan scan,
        Coverage coverage) {

    /// The same with concurrencies looked at more or less closely.
    SteadyTerms with(Scan other) {
        return new SteadyTerms(traffic, limits, batches, leastConcurrency, preference, other, coverage);
    }

    /// Returns these terms without limits.
    SteadyTerms withoutLimits() {
        return new SteadyTerms(traffic, Limits.NONE, batches, leastConcurrency, preference, scan, coverage);
    }

    /// In the mean.
    public MeanRequest request() {
        return traffic.mean();
    }

    /// Flags of a load, and of a prefix cache beside it, which no measured server had.
    Set<Flag> flags(Flag.Load load) {
        Set<Flag> flags = Flag.of(load);
        if (traffic.findsPrefixes()) {
            flags.add(Flag.EXTRAPOLATED);
        }
        return flags;
    }
}
