package io.throughputoptimizer.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardPlan;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.Request;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.fixture.SmallDeployment;
import java.util.List;
import org.junit.jupiter.api.Test;

class CachingForwardPlannerTest {
    private static final ForwardShape PREFILL = new ForwardShape.Uniform(3, Request.prefill(100, 100));
    private static final ForwardShape DECODE = new ForwardShape.Uniform(3, Request.decode(1, 100));

    private final CachingForwardPlanner planner = new CachingForwardPlanner(100_000);
    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator(planner);

    @Test
    void equalDeploymentsShareAPlan() {
        assertThat(planner.plan(deployment(2))).isSameAs(planner.plan(deployment(2)));
        assertThat(planner.plan(deployment(2))).isNotSameAs(planner.plan(deployment(4)));
    }

    @Test
    void otherDevicesShareThePlanAndHavePricesAndMemoryOfTheirOwn() {
        Deployment slower = onSlowerDevice(deployment(2));

        assertThat(planner.plan(slower)).isSameAs(planner.plan(deployment(2)));
        for (Deployment deployment : new Deployment[] {deployment(2), slower, deployment(2)}) {
            assertThat(estimator.estimate(deployment, PREFILL))
                    .isEqualTo(new AnalyticForwardEstimator().estimate(deployment, PREFILL));
        }
        assertThat(estimator.estimate(slower, PREFILL)).isNotEqualTo(estimator.estimate(deployment(2), PREFILL));
    }

    @Test
    void deploymentsThatCannotRunAreRefusedEachTime() {
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> planner.plan(deployment(3))).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void hitsAndMissesAreCounted() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        planner.bindTo(meters);
        estimator.estimate(deployment(2), PREFILL);
        estimator.estimate(deployment(2), DECODE);
        estimator.estimate(deployment(2), PREFILL);

        assertThat(gets(meters, "hit")).isEqualTo(2);
        assertThat(gets(meters, "miss")).isEqualTo(1);
    }

    @Test
    void aPlanWeighsMoreWithEveryKindOfPassAndLeavesWhenItWeighsTooMuch() {
        ForwardPlan probe = new ForwardPlan(deployment(2));
        AnalyticForwardEstimator probing = new AnalyticForwardEstimator(_ -> probe);
        probing.estimate(deployment(2), PREFILL);
        int oneKind = probe.size();
        probing.estimate(deployment(2), DECODE);
        assertThat(probe.size()).isGreaterThan(oneKind);

        CachingForwardPlanner small = new CachingForwardPlanner(oneKind);
        AnalyticForwardEstimator estimating = new AnalyticForwardEstimator(small);
        ForwardPlan plan = small.plan(deployment(2));
        estimating.estimate(deployment(2), PREFILL);
        small.cleanUp();
        assertThat(small.plan(deployment(2))).isSameAs(plan);
        estimating.estimate(deployment(2), DECODE);
        small.cleanUp();
        assertThat(small.plan(deployment(2))).isNotSameAs(plan);
    }

    private static double gets(SimpleMeterRegistry meters, String result) {
        return meters.get("cache.gets")
                .tag("cache", CachingForwardPlanner.CACHE_NAME)
                .tag("result", result)
                .functionCounter()
                .count();
    }

    private static Deployment deployment(int tp) {
        return SmallDeployment.with(ParallelLayout.dense(tp, 1));
    }

    private static Deployment onSlowerDevice(Deployment deployment) {
        DeviceProfile device = deployment.device();
        DeviceProfile.Memory memory = device.memory();
        DeviceProfile slower = new DeviceProfile(
                device.name(),
                device.vendor(),
                device.compute(),
                new DeviceProfile.Memory(memory.capacityBytes() / 2, memory.bytesPerSecond() / 2, memory.efficiency()),
                device.staticCosts(),
                device.interconnect(),
                List.of());
        return new Deployment(
                deployment.model(), slower, deployment.layout(), deployment.quantization(), deployment.execution());
    }
}
