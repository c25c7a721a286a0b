package io.throughputoptimizer.web;

import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import io.throughputoptimizer.fixture.EveryNight;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How accurate the calibrated cost model is, over HTTP.
class AccuracyIT extends HttpTest {
    @Test
    void errorsAreThoseOfTheServersListed() {
        api().get("/api/v1/accuracy")
                .then()
                .statusCode(200)
                .body("servers", hasSize(1067))
                .body("servers.model", everyItem(not("")))
                .body("summary.servers", is(List.of("dense", "experts", "all")))
                .body("summary[0].tpot.servers", is(396))
                .body("summary[0].tpot.median_percent", closeTo(5.3, 0.2))
                .body("startup_logs.logs", hasSize(46))
                .body("startup_logs.groups[0].kv_cache.median_percent", closeTo(0.25, 0.01))
                .body("startup_logs.groups.find { it.name == 'vllm 0.17 to 0.20' }.kv_cache.servers", is(24))
                .body("groups.servers.sum()", is(1067))
                .body(
                        "groups.find { it.model == 'Llama-3.1-70B' && it.device == 'H200_SXM' && it.backend == 'vllm' }.servers",
                        is(60));
    }

    @EveryNight
    @Test
    void aBandWithoutEndSaysSoByAbsence() {
        api().get("/api/v1/accuracy")
                .then()
                .body("bands", hasSize(16))
                .body("bands.findAll { it.basis == 'ttft/disaggregated' && it.coverage > 0.8 }[0]", not(hasKey("high")))
                .body("bands.findAll { it.basis == 'tpot/dense' && it.coverage > 0.8 }[0].high", is(1.26));
    }
}
