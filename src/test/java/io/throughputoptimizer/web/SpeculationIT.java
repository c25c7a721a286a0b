package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import io.restassured.path.json.JsonPath;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Decode steps that draft and verify, in searches of cost model `calibrated`.
class SpeculationIT extends HttpTest {
    private static final String ROWS = "result.devices[0].phases[0].rows";
    private static final String THREE = "{\"num_draft_tokens\": 3, \"acceptance\": {\"length\": 2.6}}";

    private static String question(String model, String more) {
        return """
                {"cost_model": "calibrated", "model_id": "%s", "devices": ["B200_SXM"], "num_devices": 4,
                 "engine": {"backend": "sglang"}, "quantization": {"scheme": "FP8_BLOCK"},
                 "workload": {"input_length": 900, "output_length": 900},
                 "search": {"tp_sizes": [4], "dp_sizes": [1], "ep_sizes": [1], "batch_range": [32, 32]}%s}""".formatted(model, more);
    }

    private static String drafting(String speculation) {
        return question("Qwen/Qwen3.5-397B-A17B", ", \"speculation\": " + speculation);
    }

    private List<Map<String, Object>> rows(String question) {
        return optimize(question).extract().jsonPath().getList(ROWS);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> figures(Map<String, Object> row) {
        Map<String, Object> figures = new HashMap<>(row);
        figures.remove("rank");
        // The first row of a list names what the others promise.
        figures.computeIfPresent(
                "warnings",
                (_, warnings) -> ((List<String>) warnings)
                        .stream()
                                .filter(warning -> !warning.contains("beyond what was measured"))
                                .toList());
        figures.remove("warnings", List.of());
        Map<String, Object> parallel = new HashMap<>((Map<String, Object>) row.get("parallel"));
        parallel.remove("variant");
        figures.put("parallel", parallel);
        return figures;
    }

    @Test
    void noDraftsAreWhatASearchWithoutSpeculationAnswers() {
        assertThat(figures(rows(drafting("{\"num_draft_tokens\": 0}")).getFirst()))
                .isEqualTo(figures(rows(question("Qwen/Qwen3.5-397B-A17B", "")).getFirst()));
    }

    @Test
    void aListOfDraftCountsIsAnAxisThatAnswersAsEachByItself() {
        String rates = ", \"acceptance\": {\"rates\": [0.85, 0.6, 0.4]}}";
        List<Map<String, Object>> together = rows(drafting("{\"num_draft_tokens\": [0, 1, 3]" + rates));

        assertThat(together).hasSize(3);
        for (int drafts : List.of(0, 1, 3)) {
            Map<String, Object> alone =
                    rows(drafting("{\"num_draft_tokens\": " + drafts + rates)).getFirst();
            assertThat(together.stream().map(SpeculationIT::figures)).contains(figures(alone));
        }
    }

    @Test
    void theStepAndTheTokenOfAUserAreToldApart() {
        JsonPath answer = optimize(drafting(THREE)).extract().jsonPath();
        String row = ROWS + "[0].";
        double verify = answer.getDouble(row + "speculation.verify_ms");
        double draft = answer.getDouble(row + "speculation.draft_ms");
        double step = answer.getDouble(row + "speculation.step_ms");
        double token = answer.getDouble(row + "decode_ms");

        assertThat(answer.getDouble(row + "speculation.requests_ms")).isEqualTo(32 * 0.16, within(1e-9));
        assertThat(step).isEqualTo(verify + draft + 32 * 0.16, within(1e-9 * step));
        assertThat(token).isEqualTo(step / 2.6, within(1e-9 * token));
        assertThat(answer.getDouble(row + "tpot_ms"))
                .isEqualTo(token + 31 * answer.getDouble(row + "prefill_ms") / 900, within(1e-9 * token));
        assertThat(answer.getInt(row + "parallel.variant.num_mtp_tokens")).isEqualTo(3);
        assertThat(answer.getList(row + "flags", String.class)).contains("speculation");
        assertThat(answer.getDouble(row + "memory.weights_gib.drafting")).isPositive();
        assertThat(answer.getList("result.devices[0].assumptions.text", String.class))
                .contains("3 draft tokens a step, which yields 2.6");
    }

    @Test
    void aCurveSaysWhatEachNumberOfDraftsYields() {
        List<Map<String, Object>> rows = rows(
                drafting(
                        "{\"num_draft_tokens\": [1, 3], \"acceptance\": {\"curve\": \"qwen3.5-397b-a17b-nvfp4/mtp/thinking\"}}"));

        assertThat(rows.stream()
                        .map(row -> Objects.requireNonNull((Map<?, ?>) row.get("speculation"))
                                .get("acceptance_length")))
                .map(String::valueOf)
                .containsExactlyInAnyOrder("1.93", "3.39");
    }

    @Test
    void tablesAndTheLaunchCommandSayHowManyAreDrafted() {
        String id = optimize(drafting(THREE)).extract().path("id");

        assertThat(report(id, "text/csv")).contains("num_mtp_tokens", ",acceptance_length,step_ms,verify_ms,draft_ms");
        assertThat(report(id, "text/plain")).contains("MTP=3");
        api().accept("application/json")
                .get(OPTIMIZATIONS + "/" + id + "/launch?engine=sglang")
                .then()
                .statusCode(200)
                .body("servers[0].options.option.toString()", containsString("--speculative-num-steps 3"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"num_draft_tokens": 3} | /speculation/acceptance | must have exactly one of length, rates and curve
            {"num_draft_tokens": 3, "acceptance": {"length": 2, "rates": [0.5, 0.4, 0.3]}} | /speculation/acceptance | must have exactly one of length, rates and curve
            {"num_draft_tokens": 2, "acceptance": {"length": 3.5}} | /speculation/acceptance/length | at most 3
            {"num_draft_tokens": [1, 2], "acceptance": {"length": 1.5}} | /speculation/acceptance/length | rates or curve
            {"num_draft_tokens": 3, "acceptance": {"rates": [0.5]}} | /speculation/acceptance/rates | must have 3 values, one per draft token
            {"num_draft_tokens": 2, "acceptance": {"rates": [0.5, 0.6]}} | /speculation/acceptance/rates/1 | must not be above the previous rate
            {"num_draft_tokens": 2, "acceptance": {"curve": "none"}} | /speculation/acceptance/curve | qwen3.5-397b-a17b-nvfp4/mtp/thinking
            {"num_draft_tokens": 9, "acceptance": {"length": 2}} | /speculation/num_draft_tokens | 8
            """)
    void whatCannotBeIsRefusedByName(String speculation, String pointer, String words) {
        json(drafting(speculation))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", hasItem(pointer))
                .body("errors.toString()", containsString(words));
    }

    @Test
    void aModelWithoutALayerThatDraftsIsRefused() {
        json(question("openai/gpt-oss-120b", ", \"speculation\": " + THREE).replace("FP8_BLOCK", "MXFP4_EXPERTS"))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/speculation/num_draft_tokens"));
    }
}
