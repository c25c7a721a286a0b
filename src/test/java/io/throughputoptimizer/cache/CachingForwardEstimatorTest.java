package io.throughputoptimizer.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.Request;
import io.throughputoptimizer.fixture.SmallDeployment;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CachingForwardEstimatorTest {
    private final AtomicInteger calculations = new AtomicInteger();
    private final AnalyticForwardEstimator analytic = new AnalyticForwardEstimator();
    private final ForwardEstimator counting = (deployment, shape) -> {
        calculations.incrementAndGet();
        return analytic.estimate(deployment, shape);
    };
    private final CachingForwardEstimator caching = new CachingForwardEstimator(counting, 100);

    @Test
    void equalPassesAreCalculatedOnce() {
        ForwardEstimate first = caching.estimate(deployment(2), prefill(3));
        ForwardEstimate second = caching.estimate(deployment(2), prefill(3));

        assertThat(second).isEqualTo(first).isEqualTo(analytic.estimate(deployment(2), prefill(3)));
        assertThat(calculations).hasValue(1);
    }

    @Test
    void otherPassesAreCalculatedAnew() {
        caching.estimate(deployment(2), prefill(3));
        caching.estimate(deployment(2), prefill(4));
        caching.estimate(deployment(4), prefill(3));
        caching.estimate(deployment(2), new ForwardShape.Uniform(3, Request.decode(100, 100)));

        assertThat(calculations).hasValue(4);
    }

    @Test
    void failuresAreNotRemembered() {
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> caching.estimate(deployment(3), prefill(3)))
                    .isInstanceOf(IllegalArgumentException.class);
        }

        assertThat(calculations).hasValue(2);
    }

    @Test
    void hitsAndMissesAreCounted() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        caching.bindTo(meters);
        caching.estimate(deployment(2), prefill(3));
        caching.estimate(deployment(2), prefill(3));
        caching.estimate(deployment(2), prefill(3));

        assertThat(gets(meters, "hit")).isEqualTo(2);
        assertThat(gets(meters, "miss")).isEqualTo(1);
    }

    /// 100 estimates of equal requests fit, and none of a list as long as eight for each of them.
    @Test
    @Timeout(20)
    void aLongListOfRequestsTakesThePlaceOfManyEstimates() {
        ForwardShape list = new ForwardShape.RequestList(
                Collections.nCopies(808, new ForwardShape.Group(1, Request.prefill(100, 100))));
        while (calculations.get() < 2) {
            caching.estimate(deployment(2), list);
        }

        assertThat(calculations).hasValue(2);
    }

    private static double gets(SimpleMeterRegistry meters, String result) {
        return meters.get("cache.gets")
                .tag("cache", CachingForwardEstimator.CACHE_NAME)
                .tag("result", result)
                .functionCounter()
                .count();
    }

    private static Deployment deployment(int tp) {
        return SmallDeployment.with(ParallelLayout.dense(tp, 1));
    }

    private static ForwardShape prefill(int concurrency) {
        return new ForwardShape.Uniform(concurrency, Request.prefill(100, 100));
    }
}
