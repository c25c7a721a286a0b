package io.throughputoptimizer.web;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasItem;

import io.restassured.path.json.JsonPath;
import io.throughputoptimizer.fixture.Silicon;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// Single decode steps that draft and verify, by measured kernels.
class SpeculationEstimateIT extends HttpTest {
    private static final String ESTIMATES = "/api/v1/estimates";
    private static final String THREE = "{\"num_draft_tokens\": 3, \"acceptance\": {\"length\": 2.6}}";

    private static String step(int queryLength, String more) {
        return """
                {"model_id": "Qwen/Qwen3.5-397B-A17B", "device": "B200_SXM", "cost_model": "calibrated",
                 "engine": {"backend": "sglang"}, "quantization": {"scheme": "FP8_BLOCK"},
                 "parallel": {"tp": 4, "dp": 1, "ep": 1},
                 "pass": {"phase": "decode", "concurrency": 32, "query_len": %d, "seq_len": 1350}%s}""".formatted(queryLength, more);
    }

    private static String drafting(int queryLength, String speculation) {
        return step(queryLength, ", \"speculation\": " + speculation);
    }

    private JsonPath estimate(String body) {
        return json(body)
                .post(ESTIMATES)
                .then()
                .log()
                .ifValidationFails()
                .statusCode(200)
                .extract()
                .jsonPath();
    }

    /// Passes that verify drafts and have whole requests.
    static Stream<JsonNode> verifying() {
        return Silicon.cases("vectors-passes-2.json.gz").stream()
                .filter(vector -> vector.at("/input/query").asInt(1) > 1)
                .filter(vector -> vector.at("/input/laws").asInt(1) == 2
                        || vector.at("/input/tp").asInt() == 1)
                .filter(vector -> vector.at("/input/batch").isIntegralNumber())
                // Those with a layer that drafts.
                .filter(vector ->
                        vector.at("/input/config").stringValue().matches("Qwen--Qwen3\\.[56].*|.*(GLM-5|V4-Flash).*"));
    }

    @Test
    void aStepConsistsOfItsPartsAndATokenIsItsShare() {
        JsonPath answer = estimate(drafting(4, THREE));
        double verify = answer.getDouble("speculation.verify_ms");
        double draft = answer.getDouble("speculation.draft_ms");
        double step = answer.getDouble("latency_ms");
        List<String> names = answer.getList("operators.name", String.class);

        assertThat(answer.getDouble("speculation.requests_ms")).isEqualTo(32 * 0.16, within(1e-9));
        assertThat(step).isEqualTo(verify + draft + 32 * 0.16, within(1e-9 * step));
        assertThat(answer.getDouble("speculation.step_ms")).isEqualTo(step);
        assertThat(answer.getDouble("token_ms")).isEqualTo(step / 2.6);
        assertThat(millis(answer, "draft_")).isCloseTo(draft, withinPercentage(1e-7));
        assertThat(millis(answer, "")).isCloseTo(verify + draft, withinPercentage(1e-7));
        assertThat(names).contains("draft_join", "draft_lm_head");
        assertThat(answer.getList("flags", String.class)).contains("speculation");
        assertThat(answer.getString("parallel.label")).endsWith("| MTP=3");
        assertThat(answer.getList("assumptions.text", String.class))
                .contains("3 draft tokens a step, which yields 2.6");
        assertThat(answer.getDouble("memory.weights_gib.drafting")).isPositive();
    }

    private static double millis(JsonPath answer, String prefix) {
        return answer.<Map<String, Object>>getList("operators").stream()
                .filter(operator -> String.valueOf(operator.get("name")).startsWith(prefix))
                .mapToDouble(operator -> ((Number) requireNonNull(operator.get("total_us"))).doubleValue() / 1000)
                .sum();
    }

    @ParameterizedTest
    @MethodSource("verifying")
    void theVerifyingPassTakesWhatItsVectorSays(JsonNode vector) {
        JsonNode input = vector.required("input");
        int query = input.required("query").intValue();
        int dp = input.required("attention_dp").intValue();
        JsonPath answer = estimate("""
                {"model_id": "%s", "device": "%s", "cost_model": "calibrated",
                 "engine": {"backend": %s, "kv_cache_dtype": %s%s}, "quantization": {"scheme": %s},
                 "parallel": {"tp": %s, "dp": %d, "ep": %s},
                 "pass": {"phase": "decode", "concurrency": %d, "query_len": %d, "seq_len": %s},
                 "speculation": {"num_draft_tokens": %d, "acceptance": {"length": 1}}}""".formatted(
                input.required("config").stringValue().replace("--", "/").replaceFirst("\\.json$", ""),
                Silicon.deviceOf(input.required("device").stringValue()),
                input.required("backend"),
                input.required("kv_cache"),
                input.required("state_bytes").intValue() == 2
                                && input.required("config").stringValue().contains("Qwen")
                        ? ", \"recurrent_state\": \"bfloat16\""
                        : "",
                input.required("scheme"),
                input.required("tp"),
                dp,
                input.required("moe_ep"),
                input.required("batch").intValue() * dp,
                query,
                input.required("context"),
                query - 1));

        assertThat(answer.getDouble("speculation.verify_ms"))
                .isCloseTo(vector.at("/expected/milliseconds").doubleValue(), withinPercentage(100 * Silicon.RELATIVE));
    }

    @Test
    void aSearchPricesTheSameStep() {
        String row = "result.devices[0].phases[0].rows[0].";
        JsonPath search = optimize("""
                {"cost_model": "calibrated", "model_id": "Qwen/Qwen3.5-397B-A17B", "devices": ["B200_SXM"],
                 "num_devices": 4, "engine": {"backend": "sglang"}, "quantization": {"scheme": "FP8_BLOCK"},
                 "workload": {"input_length": 900, "output_length": 900},
                 "search": {"tp_sizes": [4], "dp_sizes": [1], "ep_sizes": [1], "batch_range": [32, 32]},
                 "speculation": {"num_draft_tokens": 3, "acceptance": {"length": 2.6}}}""").extract().jsonPath();

        JsonPath step = estimate(drafting(4, THREE));

        assertThat(step.getDouble("latency_ms"))
                .isCloseTo(search.getDouble(row + "speculation.step_ms"), withinPercentage(1e-9));
        assertThat(step.getDouble("token_ms")).isCloseTo(search.getDouble(row + "decode_ms"), withinPercentage(1e-9));
    }

    @Test
    void noDraftsCostWhatAStepWithoutSpeculationCosts() {
        assertThat(figures(estimate(drafting(1, "{\"num_draft_tokens\": 0}"))))
                .isEqualTo(figures(estimate(step(1, ""))));
    }

    private static Map<String, Object> figures(JsonPath answer) {
        Map<String, Object> figures = new HashMap<>(answer.getMap(""));
        figures.remove("assumptions");
        figures.remove("parallel");
        return figures;
    }

    @Test
    void acceptanceIsALengthOrRatesOrACurve() {
        assertThat(estimate(drafting(4, "{\"num_draft_tokens\": 3, \"acceptance\": {\"rates\": [0.8, 0.5, 0.3]}}"))
                        .getDouble("speculation.acceptance_length"))
                .isEqualTo(2.6, within(1e-12));
        assertThat(estimate(
                                drafting(
                                        4,
                                        "{\"num_draft_tokens\": 3, \"acceptance\": {\"curve\": \"qwen3.5-397b-a17b-nvfp4/mtp/thinking\"}}"))
                        .getDouble("speculation.acceptance_length"))
                .isEqualTo(3.39);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            4 | {"num_draft_tokens": [1, 3], "acceptance": {"rates": [0.8, 0.5, 0.3]}} | /speculation/num_draft_tokens | must be a single value here
            1 | {"num_draft_tokens": 3, "acceptance": {"length": 2.6}} | /pass/query_len | must be 4 in a decode step with cost_model calibrated
            """)
    void whatCannotBeIsRefusedByName(int queryLength, String speculation, String pointer, String words) {
        refused(drafting(queryLength, speculation), pointer, words);
    }

    @Test
    void promptsDraftNothingAndOnlyMeasuredStepsTakeSpeculation() {
        refused(
                drafting(4, THREE).replace("decode", "prefill"),
                "/speculation",
                "must not be set for a prefill pass. Remove it");
        refused("""
                {"cost_model": "analytic", "model_id": "Qwen/Qwen3-32B", "device": "TEST_DEVICE", "speculation": {"num_draft_tokens": 1, "acceptance": {"length": 1.5}},
                 "pass": {"phase": "decode", "concurrency": 4, "query_len": 1, "seq_len": 2000}}""", "/speculation", "use num_mtp_tokens");
        refused("""
                {"model_id": "Qwen/Qwen3-32B", "device": "B200_SXM", "cost_model": "calibrated",
                 "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
                 "speculation": {"num_draft_tokens": 1, "acceptance": {"length": 1.5}},
                 "pass": {"phase": "decode", "concurrency": 4, "query_len": 2, "seq_len": 2000}}""", "/speculation/num_draft_tokens", "no layer of qwen3 that predicts drafts");
    }

    private void refused(String body, String pointer, String words) {
        json(body)
                .post(ESTIMATES)
                .then()
                .statusCode(400)
                .body("errors.pointer", hasItem(pointer))
                .body("errors.toString()", containsString(words));
    }
}
