package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.throughputoptimizer.api.result.BriefResult;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What is sent of a result to callers who do not ask for all of it.
class BriefResultIT extends HttpTest {
    private static final int KILOBYTES = 1000;
    private static final String EXPLAINED = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H200_SXM"], "num_devices": 16,
             "engine": {"backend": "sglang"}, "quantization": {"scheme": "FP8"},
             "workload": {"input_length": 1346, "output_length": 295}, "slo": {"ttft_ms": 2000, "tpot_ms": 30},
             "explain": true}""";
    private static final String MIXED_CAPACITY = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 16, "mode": "capacity",
             "demand": {"requests_per_s": 2}, "accounting": "steady", "instance_sizes": [4, 8],
             "workload": {"length_distribution": {"bins": [{"min_tokens": 100, "max_tokens": 900, "weight": 3},
                 {"min_tokens": 2000, "max_tokens": 4000, "weight": 1}]}, "output_length": 200},
             "slo": {"ttft_ms": 4000, "tpot_ms": 50}, "serving": {"compile": true}}""";
    private static final String MANY_PAIRS = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-235B-A22B", "devices": ["H200_SXM"],
             "num_devices": 16, "mode": "pd_ratio", "engine": {"backend": "sglang"},
             "quantization": {"scheme": "FP8_BLOCK"}, "workload": {"input_length": 3500, "output_length": 1500},
             "slo": {"ttft_ms": 5000, "tpot_ms": 50}, "search": {"batch_range": [1, 64]},
             "pd_ratio": {"prefill_devices_per_instance": [4, 8], "decode_devices_per_instance": [4, 8]}}""";

    static Stream<String> requests() {
        return Stream.of(PREFILL, MIXED_CAPACITY);
    }

    @ParameterizedTest
    @MethodSource("requests")
    void anAnswerIsSmallUnlessAllOfItIsAskedFor(String request) {
        String path = OPTIMIZATIONS + "/" + optimize(request).extract().path("id");
        for (String place : List.of(path, path + "/result")) {
            assertThat(text(place)).hasSizeLessThan(450 * KILOBYTES);
            assertThat(text(place + "?include=all").length())
                    .isGreaterThan(text(place).length());
        }
    }

    /// Whoever asks for a plan would get megabytes of what only pictures are made of.
    @Test
    void onlyTheProbesAreLeftOutOfASearch() {
        String path = OPTIMIZATIONS + "/" + optimize(PREFILL).extract().path("id");
        String all = text(path + "?include=all");
        assertThat(all).contains(",\"points\":[{");
        assertThat(text(path)).isEqualTo(all.replaceAll(",\"points\":\\[\\{.*?\\}\\](?=[,}])", ""));
        json(PREFILL)
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .body("result.devices[0].phases[0].best.rank", equalTo(1))
                .body("result.devices[0].phases.points", everyItem(nullValue()));
    }

    @Test
    void explanationsLackTheFrontierThatIsDrawn() {
        String path = OPTIMIZATIONS + "/" + optimize(EXPLAINED).extract().path("id");
        String answer = "explanation.answers[0].";
        api().get(path + "/result")
                .then()
                .body(answer + "pareto_frontier.phase", hasSize(1))
                .body(answer + "pareto_frontier[0].points", nullValue())
                .body(answer + "sensitivities", not(hasSize(0)));
        api().get(path + "/result?include=all").then().body(answer + "pareto_frontier[0].points", not(hasSize(0)));
        assertThat(report(path.substring(path.lastIndexOf('/') + 1), "text/plain"))
                .contains("Frontier");
    }

    @Test
    void batchesOfDeploymentsComeWithoutTheirParts() {
        String path = OPTIMIZATIONS + "/" + optimize(MIXED_CAPACITY).extract().path("id") + "/result";
        String loads = "capacity.rows.instances.flatten().load.composition";
        api().get(path).then().body(loads, everyItem(nullValue()));
        api().get(path + "?include=all").then().body(loads, everyItem(notNullValue()));
    }

    @EveryNight
    @Test
    void ofATableTheBestRowsAreSent() {
        String id = optimize(MANY_PAIRS).extract().path("id");
        String path = OPTIMIZATIONS + "/" + id + "/result";
        String ratio = "devices[0].pd_ratio.";
        List<Integer> all = api().get(path + "?include=all")
                .then()
                .body(ratio + "omitted_rows", nullValue())
                .extract()
                .path(ratio + "rows.rank");
        api().get(path)
                .then()
                .body(ratio + "rows.rank", equalTo(all.subList(0, BriefResult.ROWS)))
                .body(ratio + "omitted_rows", equalTo(all.size() - BriefResult.ROWS));
        assertThat(report(id, "text/csv").lines()).hasSize(all.size() + 1);
    }

    @Test
    void rejectsUnknownPartsToInclude() {
        api().queryParam("include", "some")
                .get(OPTIMIZATIONS + "/" + optimize(PREFILL).extract().path("id"))
                .then()
                .statusCode(400)
                .contentType("application/problem+json")
                .body("errors[0].parameter", equalTo("include"));
    }

    private String text(String path) {
        return api().get(path).then().statusCode(200).extract().asString();
    }
}
