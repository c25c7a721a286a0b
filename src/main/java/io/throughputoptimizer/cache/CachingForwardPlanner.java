package io.throughputoptimizer.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardPlan;
import io.throughputoptimizer.core.forward.ForwardPlanner;

/// Keeps the plans of deployments, as many as have a bounded number of operators together, and counts hits and misses.
/// Deployments that differ in their device, or in the memory kept free, share a plan. Thread-safe; concurrent calls for
/// one plan make it once.
public final class CachingForwardPlanner implements ForwardPlanner, MeterBinder {
    /// What monitoring knows it by.
    static final String CACHE_NAME = "forward_estimates";

    private final Cache<ForwardPlan.Key, ForwardPlan> plans;

    /// @param maximumOperators of all plans together
    public CachingForwardPlanner(long maximumOperators) {
        this.plans = Caffeine.newBuilder()
                .maximumWeight(maximumOperators)
                .weigher((ForwardPlan.Key _, ForwardPlan plan) -> plan.size())
                .recordStats()
                .build();
    }

    /// A plan grows as kinds of passes are met: it is weighed anew each time.
    @Override
    public ForwardPlan plan(Deployment deployment) {
        ForwardPlan.Key key = ForwardPlan.Key.of(deployment);
        return plans.get(
                key, _ -> new ForwardPlan(deployment, () -> plans.asMap().computeIfPresent(key, (_, plan) -> plan)));
    }

    /// Lets go at once of what is too much.
    void cleanUp() {
        plans.cleanUp();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        CaffeineCacheMetrics.monitor(registry, plans, CACHE_NAME);
    }
}
