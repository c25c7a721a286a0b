package io.throughputoptimizer.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;

/// Remembers the estimates of another estimator, a bounded number of them, and counts hits and misses.
/// Thread-safe; concurrent calls with equal arguments calculate once.
public final class CachingForwardEstimator implements ForwardEstimator, MeterBinder {
    static final String CACHE_NAME = "forward_estimates";

    private final ForwardEstimator estimator;
    private final Cache<Pass, ForwardEstimate> estimates;

    private record Pass(Deployment deployment, ForwardShape shape) {
        private static final int GROUPS_OF_AN_ESTIMATE = 8;

        /// A long list of requests takes the place of several estimates.
        private static int weight(Pass pass, ForwardEstimate estimate) {
            return switch (pass.shape) {
                case ForwardShape.Uniform _ -> 1;
                case ForwardShape.RequestList list -> Math.ceilDiv(list.groups().size(), GROUPS_OF_AN_ESTIMATE);
            };
        }
    }

    /// @param estimator calculates what is not remembered
    /// @param maximumSize estimates to remember, fewer when they are of long lists of requests
    public CachingForwardEstimator(ForwardEstimator estimator, long maximumSize) {
        this.estimator = estimator;
        this.estimates = Caffeine.newBuilder()
                .maximumWeight(maximumSize)
                .weigher(Pass::weight)
                .recordStats()
                .build();
    }

    @Override
    public ForwardEstimate estimate(Deployment deployment, ForwardShape shape) {
        return estimates.get(new Pass(deployment, shape), pass -> estimator.estimate(pass.deployment, pass.shape));
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        CaffeineCacheMetrics.monitor(registry, estimates, CACHE_NAME);
    }
}
