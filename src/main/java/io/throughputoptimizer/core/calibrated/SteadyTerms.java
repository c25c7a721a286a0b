package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.Flag;
import io.throughputoptimizer.core.load.BestConcurrency.Preference;
import io.throughputoptimizer.core.load.ConcurrencySampling;
import io.throughputoptimizer.core.load.MeanRequest;
import io.throughputoptimizer.core.load.RankBatches;
import io.throughputoptimizer.core.load.Traffic;
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
        ConcurrencySampling scan,
        Coverage coverage) {

    /// Returns a copy with another sampling of concurrencies.
    SteadyTerms with(ConcurrencySampling other) {
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
