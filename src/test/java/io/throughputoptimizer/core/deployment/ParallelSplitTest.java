package io.throughputoptimizer.core.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.deployment.Obstacle.Part;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.fixture.BuiltIn;
import org.junit.jupiter.api.Test;

class ParallelSplitTest {
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;
    private static final ModelArchitecture DENSE = model("Qwen/Qwen3-8B");
    private static final ModelArchitecture EXPERTS = model("Qwen/Qwen3-30B-A3B");

    @Test
    void whatRemainsSharesRequestsAndExperts() {
        ParallelSplit split = new ParallelSplit(16, 2, 4, 2, 1);

        assertThat(split.obstacles(EXPERTS)).isEmpty();
        assertThat(split.layout(EXPERTS)).isEqualTo(new ParallelLayout(2, 1, 8, new ExpertLayout(4, 2, 2)));
        assertThat(split.layout(DENSE)).isEqualTo(ParallelLayout.dense(2, 8));
    }

    @Test
    void everySizeThatDoesNotDivideTheDevicesIsSaid() {
        assertThat(new ParallelSplit(8, 3, 5, 1, 1).obstacles(EXPERTS))
                .containsExactly(
                        new Obstacle(Part.TENSOR_PARALLEL, "must divide num_devices 8, got 3"),
                        new Obstacle(Part.EXPERT_PARALLEL, "must divide num_devices 8, got 5"));
        assertThat(new ParallelSplit(8, 1, 4, 4, 1).obstacles(EXPERTS))
                .containsExactly(new Obstacle(Part.EXPERT_REPLICAS, "must divide num_devices / ep = 2, got 4"));
    }

    @Test
    void aDenseModelIgnoresExpertSizes() {
        assertThat(new ParallelSplit(8, 8, 5, 64, 1).obstacles(DENSE)).isEmpty();
    }

    private static ModelArchitecture model(String id) {
        return CATALOGS.models().find(id).orElseThrow();
    }
}
