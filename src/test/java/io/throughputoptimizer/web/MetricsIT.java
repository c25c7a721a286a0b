package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MetricsIT extends HttpTest {

    @Test
    void hitsAndMissesOfTheEstimateCacheAreExposed() {
        optimize(PREFILL);
        optimize(PREFILL);

        assertThat(metrics())
                .containsPattern("cache_gets_total\\{.*cache=\"forward_estimates\".*result=\"hit\".*} [1-9]")
                .containsPattern("cache_gets_total\\{.*cache=\"forward_estimates\".*result=\"miss\".*} [1-9]");
    }

    @Test
    void theWorkOfSearchesIsExposed() {
        optimize(PREFILL);

        assertThat(metrics())
                .containsPattern("optimizer_search_points_total [1-9]")
                .containsPattern("optimizer_search_passes_total [1-9]");
    }

    private String metrics() {
        return api().get("/actuator/prometheus")
                .then()
                .statusCode(200)
                .extract()
                .asString();
    }
}
