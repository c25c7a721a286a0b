package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MetricsIT extends HttpTest {

    @Test
    void hitsAndMissesOfTheEstimateCacheAreExposed() {
        optimize(PREFILL);
        optimize(PREFILL);

        assertThat(api().get("/actuator/prometheus")
                        .then()
                        .statusCode(200)
                        .extract()
                        .asString())
                .containsPattern("cache_gets_total\\{.*cache=\"forward_estimates\".*result=\"hit\".*} [1-9]")
                .containsPattern("cache_gets_total\\{.*cache=\"forward_estimates\".*result=\"miss\".*} [1-9]");
    }
}
