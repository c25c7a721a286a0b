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

/// Terms that all calibrated instances of a problem share.
///
/// @param batches batch sizes per rank; absent for all that the rank can run
/// @param leastConcurrency minimum concurrency of a deployment
/// @param preference criterion for the best concurrency
/// @param scan sampling of concurrencies
/// @param coverage share of measured figures within a prediction interval
public record SteadyTerms(
        Traffic traffic,
        Limits limits,
        @Nullable RankBatches batches,
        int leastConcurrency,
        Preference preference,
        Scan scan,
        Coverage coverage) {

    /// Returns a copy with another sampling of concurrencies.
    SteadyTerms with(Scan other) {
        return new SteadyTerms(traffic, limits, batches, leastConcurrency, preference, other, coverage);
    }

    /// Returns these terms without latency targets.
    SteadyTerms withoutLimits() {
        return new SteadyTerms(traffic, Limits.NONE, batches, leastConcurrency, preference, scan, coverage);
    }

    /// Returns the mean request.
    public MeanRequest request() {
        return traffic.mean();
    }

    /// Returns the uncertainty flags of a load, and of a prefix cache, which no measured server had.
    Set<Flag> flags(Flag.Load load) {
        Set<Flag> flags = Flag.of(load);
        if (traffic.findsPrefixes()) {
            flags.add(Flag.EXTRAPOLATED);
        }
        return flags;
    }
}
