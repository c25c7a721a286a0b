package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.lessThanOrEqualTo;

import io.restassured.path.json.JsonPath;
import io.throughputoptimizer.fixture.RequestEditor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Steps that draft and verify, request by request.
class SpeculationSimulatedIT extends HttpTest {
    private static final String SIMULATIONS = "/api/v1/simulations";
    private static final String ROW = "result.devices[0].phases[0].rows[0].";
    private static final String THREE = "{\"num_draft_tokens\": 3, \"acceptance\": {\"length\": 2.6}}";
    private static final String PLAIN = """
            {"model_id": "Qwen/Qwen3.5-397B-A17B", "device": "B200_SXM", "engine": {"backend": "sglang"},
             "quantization": {"scheme": "FP8_BLOCK"}, "parallel": {"tp": 4, "ep": 1},
             "workload": {"input_length": 1000, "output_length": 500},
             "traffic": {"concurrency": 32, "random_range_ratio": 0.8}}""";
    private static final String DRAFTING = RequestEditor.with(PLAIN, "/speculation", THREE);

    private static final String SEARCH = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3.5-397B-A17B", "devices": ["B200_SXM"], "num_devices": 4,
             "workload": {"input_length": 1000, "output_length": 500}, "engine": {"backend": "sglang"},
             "traffic": {"random_range_ratio": 0.8}, "quantization": {"scheme": "FP8_BLOCK"}, "slo": {"tpot_ms": 20},
             "search": {"tp_sizes": [4], "dp_sizes": [1], "ep_sizes": [1], "batch_range": [1, 128]},
             "speculation": {"num_draft_tokens": 3, "acceptance": {"length": 2.6}}}""";

    private JsonPath simulate(String body) {
        return json(body)
                .post(SIMULATIONS)
                .then()
                .log()
                .ifValidationFails()
                .statusCode(200)
                .extract()
                .jsonPath();
    }

    @Test
    void aUserSeesTokensOfStepsThatYieldSeveral() {
        JsonPath plain = simulate(PLAIN);
        JsonPath drafting = simulate(DRAFTING);

        double step = drafting.getDouble("step_mean_ms");
        assertThat(step).isGreaterThan(plain.getDouble("itl_mean_ms"));
        assertThat(drafting.getDouble("itl_mean_ms")).isCloseTo(step / 2.6, withinPercentage(1));
        assertThat(drafting.getDouble("tpot_ms.mean")).isLessThan(plain.getDouble("tpot_ms.mean"));
        assertThat(drafting.getInt("speculation.num_draft_tokens")).isEqualTo(3);
        assertThat(drafting.getDouble("speculation.acceptance_length")).isEqualTo(2.6);
        assertThat(drafting.getString("parallel.label")).endsWith("| MTP=3");
        assertThat(drafting.getList("flags", String.class)).contains("speculation");
        assertThat(plain.getMap("")).doesNotContainKeys("step_mean_ms", "speculation");
    }

    @Test
    void noDraftsAreASimulationWithoutSpeculation() {
        assertThat(figures(simulate(RequestEditor.with(PLAIN, "/speculation", "{\"num_draft_tokens\": 0}"))))
                .isEqualTo(figures(simulate(PLAIN)));
    }

    private static Map<String, Object> figures(JsonPath answer) {
        Map<String, Object> figures = new HashMap<>(answer.getMap(""));
        figures.remove("parallel");
        return figures;
    }

    /// Drafts with a low acceptance rate cost more than they save when the KV cache is full.
    @Test
    void aRateIsSaturatedWhereStepsWithDraftsAre() {
        String rate = "{\"request_rate\": 1000}";
        String refused = RequestEditor.with(
                PLAIN, "/speculation", "{\"num_draft_tokens\": 3, \"acceptance\": {\"length\": 1.2}}");
        assertThat(highest(RequestEditor.with(refused, "/traffic", rate)))
                .isBetween(1.0, 0.9 * highest(RequestEditor.with(PLAIN, "/traffic", rate)));
        assertThat(simulate(RequestEditor.with(DRAFTING, "/traffic", "{\"request_rate\": 2}"))
                        .getInt("requests"))
                .isEqualTo(300);
    }

    private double highest(String question) {
        String message = json(question)
                .post(SIMULATIONS)
                .then()
                .statusCode(400)
                .extract()
                .path("errors[0].detail");
        return Double.parseDouble(message.replaceAll(".*above (\\S+) requests.*", "$1"));
    }

    @Test
    void reportsSayWhatAStepYields() {
        JsonPath answer = simulate(DRAFTING);
        String text = as(DRAFTING, "text/plain");

        assertThat(text)
                .contains(
                        "MTP=3",
                        "    Step: %.1f ms, which yields 2.6 tokens".formatted(answer.getDouble("step_mean_ms")));
        assertThat(as(DRAFTING, "text/csv"))
                .contains("num_mtp_tokens,acceptance_length,step_mean", "," + answer.getString("step_mean_ms") + ",");
        assertThat(as(PLAIN, "text/csv")).doesNotContain("acceptance_length");
    }

    private String as(String question, String type) {
        return json(question)
                .accept(type)
                .post(SIMULATIONS)
                .then()
                .statusCode(200)
                .extract()
                .asString();
    }

    @Test
    void aRowsSimulationIsThatOfItsConfigurationAndNearTheLaw() {
        JsonPath row = optimize(RequestEditor.with(SEARCH, "/percentiles", "true"))
                .body(ROW + "simulation.tpot_ms.p99", greaterThan(0.0))
                .extract()
                .jsonPath();
        JsonPath alone = simulate(RequestEditor.with(
                RequestEditor.with(DRAFTING, "/traffic/concurrency", String.valueOf(row.getInt(ROW + "concurrency"))),
                "/traffic/ttft_basis",
                "\"settled\""));

        assertThat(alone.getDouble("ttft_ms.p99"))
                .isCloseTo(row.getDouble(ROW + "simulation.ttft_ms.p99"), within(1e-6));
        assertThat(alone.getDouble("tpot_ms.p90"))
                .isCloseTo(row.getDouble(ROW + "simulation.tpot_ms.p90"), within(1e-6));
        assertThat(row.getDouble(ROW + "simulation.tpot_ms.mean"))
                .isCloseTo(row.getDouble(ROW + "tpot_ms"), withinPercentage(10));
    }

    @Test
    void aPercentileOfTheRequestsKeepsTheLimitWithDrafts() {
        JsonPath limited = optimize(RequestEditor.with(SEARCH, "/slo/percentile", "95"))
                .body(
                        "result.devices[0].phases[0].rows.simulation.tpot_ms.others.ms.flatten()",
                        everyItem(lessThanOrEqualTo(20.0)))
                .extract()
                .jsonPath();
        List<Integer> drafts = optimize(RequestEditor.with(
                        RequestEditor.with(SEARCH, "/slo/percentile", "95"),
                        "/speculation",
                        "{\"num_draft_tokens\": [0, 3], \"acceptance\": {\"rates\": [0.8, 0.5, 0.3]}}"))
                .extract()
                .jsonPath()
                .getList("result.devices[0].phases[0].rows.parallel.variant.num_mtp_tokens", Integer.class);

        assertThat(limited.getInt(ROW + "concurrency")).isPositive();
        assertThat(drafts).containsExactlyInAnyOrder(0, 3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"num_draft_tokens\": 3, \"acceptance\": {\"length\": 2.6}}",
                "{\"num_draft_tokens\": 3, \"acceptance\": {\"rates\": [0.8, 0.5, 0.3]}}"
            })
    void acceptanceIsGivenOneWayOrTheOther(String speculation) {
        assertThat(simulate(RequestEditor.with(PLAIN, "/speculation", speculation))
                        .getDouble("speculation.acceptance_length"))
                .isEqualTo(2.6, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"num_draft_tokens": [1, 3], "acceptance": {"rates": [0.8, 0.5, 0.3]}} | /speculation/num_draft_tokens | must be a single value here, got 2 values
            """)
    void whatCannotBeIsRefusedByName(String speculation, String pointer, String words) {
        json(RequestEditor.with(PLAIN, "/speculation", speculation))
                .post(SIMULATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", hasItem(pointer))
                .body("errors.toString()", containsString(words));
    }
}
