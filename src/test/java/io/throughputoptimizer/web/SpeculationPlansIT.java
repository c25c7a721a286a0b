package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hamcrest.Matchers.containsString;

import io.restassured.path.json.JsonPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Decode steps that draft and verify in plans: instances for prefill and decode apart, and capacity.
class SpeculationPlansIT extends HttpTest {
    private static final String RATES = ", \"acceptance\": {\"rates\": [0.85, 0.6, 0.4]}}";
    private static final String PAIRS = "result.devices[0].pd_ratio.rows";
    private static final String PLANS = "result.capacity.rows";
    private static final double EXACT = 1e-9;

    private static String question(String more) {
        return """
                {"cost_model": "calibrated", "model_id": "Qwen/Qwen3.5-397B-A17B", "devices": ["B200_SXM"],
                 "engine": {"backend": "sglang"}, "quantization": {"scheme": "FP8_BLOCK"},
                 "workload": {"input_length": 900, "output_length": 900}, %s}""".formatted(more);
    }

    private static String pairs(String speculation) {
        return question("""
                "mode": "pd_ratio", "num_devices": 8,
                "pd_ratio": {"prefill_devices_per_instance": 4, "decode_devices_per_instance": 4},
                "search": {"tp_sizes": [4], "dp_sizes": [1], "ep_sizes": [1], "batch_range": [16, 16]}%s
                """.formatted(speculation));
    }

    private static String capacity(String speculation) {
        return question("""
                "mode": "capacity", "num_devices": 32, "instance_sizes": [4, 8], "headroom": 0.2,
                "demand": {"requests_per_s": 4}, "slo": {"tpot_ms": 30},
                "search": {"dp_sizes": [1], "ep_sizes": [1], "batch_range": [1, 64]}%s
                """.formatted(speculation));
    }

    private static String drafting(int tokens) {
        return ", \"speculation\": {\"num_draft_tokens\": " + tokens + RATES;
    }

    private JsonPath answer(String question) {
        return optimize(question).extract().jsonPath();
    }

    /// Without what says that drafts were asked about, and without places.
    private static Object figures(Object value) {
        return switch (value) {
            case Map<?, ?> members -> {
                Map<Object, Object> kept = new HashMap<>();
                members.forEach((name, member) -> {
                    if (!name.equals("variant") && !name.equals("rank") && member != null) {
                        kept.put(name, figures(member));
                    }
                });
                yield kept;
            }
            case List<?> elements ->
                elements.stream().map(SpeculationPlansIT::figures).toList();
            default -> value;
        };
    }

    private static List<Object> figures(JsonPath answer, String rows) {
        return answer.getList(rows).stream().map(SpeculationPlansIT::figures).toList();
    }

    @Test
    void noDraftsAreWhatPlansWithoutSpeculationAre() {
        assertThat(figures(answer(pairs(drafting(0))), PAIRS)).hasSize(1).isEqualTo(figures(answer(pairs("")), PAIRS));

        JsonPath none = answer(capacity(drafting(0)));
        JsonPath plain = answer(capacity(""));
        assertThat(figures(none, PLANS)).isNotEmpty().isEqualTo(figures(plain, PLANS));
        assertThat(figures(none, "result.capacity.curve")).isEqualTo(figures(plain, "result.capacity.curve"));
        assertThat(figures(none, "result.capacity.instances")).isEqualTo(figures(plain, "result.capacity.instances"));
    }

    @Test
    void aListOfDraftCountsHasThePairsOfEachByItself() {
        List<Object> alone = new ArrayList<>();
        for (int drafts : List.of(0, 1, 3)) {
            alone.addAll(figures(answer(pairs(drafting(drafts))), PAIRS));
        }
        JsonPath together = answer(pairs(", \"speculation\": {\"num_draft_tokens\": [0, 1, 3]" + RATES));

        assertThat(figures(together, PAIRS)).hasSize(3).containsExactlyInAnyOrderElementsOf(alone);
        assertThat(together.getInt("result.search.candidates")).isEqualTo(3);
    }

    /// Of each size, or pair of sizes, that with the fewest devices.
    @Test
    void aListOfDraftCountsPlansAsTheBestOfEachByItself() {
        Map<String, Integer> fewest = new HashMap<>();
        for (int drafts : List.of(0, 1, 3)) {
            devices(answer(capacity(drafting(drafts))))
                    .forEach((sizes, devices) -> fewest.merge(sizes, devices, Math::min));
        }

        assertThat(devices(answer(capacity(", \"speculation\": {\"num_draft_tokens\": [0, 1, 3]" + RATES))))
                .isEqualTo(fewest);
    }

    private static Map<String, Integer> devices(JsonPath answer) {
        Map<String, Integer> devices = new HashMap<>();
        List<Map<String, Object>> rows = answer.getList(PLANS);
        for (Map<String, Object> row : rows) {
            List<?> groups = (List<?>) Objects.requireNonNull(row.get("instances"));
            List<?> sizes = groups.stream()
                    .map(group -> ((Map<?, ?>) group).get("devices_per_instance"))
                    .toList();
            devices.put(sizes.toString(), (Integer) row.get("num_devices"));
        }
        return devices;
    }

    /// The first tokens of a user come with a whole step, each after them in the mean with its share of one; a prompt
    /// takes what it takes without drafts.
    @Test
    void decodeInstancesDraftAndPrefillInstancesDoNot() {
        JsonPath drafting = answer(pairs(drafting(3)));
        JsonPath plain = answer(pairs(""));
        String row = PAIRS + "[0].";
        double step = drafting.getDouble(row + "speculation.step_ms");
        double token = drafting.getDouble(row + "decode_ms");

        assertThat(drafting.getDouble(row + "speculation.acceptance_length")).isEqualTo(2.85, within(EXACT));
        assertThat(token).isEqualTo(step / 2.85, within(EXACT * step));
        assertThat(drafting.getDouble(row + "tpot_ms")).isEqualTo(token);
        assertThat(drafting.getDouble(row + "prefill_ms")).isEqualTo(plain.getDouble(row + "prefill_ms"));
        assertThat(drafting.getDouble(row + "ttft_burst_ms") - plain.getDouble(row + "ttft_burst_ms"))
                .isEqualTo(step - plain.getDouble(row + "decode_ms"), within(EXACT * step));
        assertThat(drafting.getInt(row + "parallel_d.variant.num_mtp_tokens")).isEqualTo(3);
        assertThat(drafting.getMap(row + "parallel_p")).doesNotContainKey("variant");
        assertThat(drafting.getList(row + "flags", String.class)).contains("speculation");
    }

    @Test
    void plansTellTheStepFromTheTokenOfAUser() {
        JsonPath answer = answer(capacity(drafting(3)));
        List<Map<String, Object>> rows = answer.getList(PLANS);

        assertThat(rows).extracting(row -> row.get("deployment")).contains("aggregated", "disaggregated");
        for (int at = 0; at < rows.size(); at++) {
            String last = PLANS + "[" + at + "].instances[-1].load.";
            double step = answer.getDouble(last + "speculation.step_ms");
            assertThat(answer.getDouble(last + "decode_ms")).isEqualTo(step / 2.85, within(EXACT * step));
            assertThat(answer.getString(last + "parallel.label")).endsWith("MTP=3");
        }
        String plain = answer(capacity("")).getString("result.capacity.best.tpot_ms");
        assertThat(answer.getString("result.capacity.best.tpot_ms")).isNotEqualTo(plain);
    }

    @Test
    void tablesAndCommandsOfPairsSayHowManyAreDrafted() {
        String id = optimize(pairs(drafting(3))).extract().path("id");

        assertThat(report(id, "text/csv")).contains(",num_mtp_tokens,acceptance_length,step_ms,verify_ms,draft_ms");
        assertThat(report(id, "text/plain")).contains("MTP=3", "Step (ms)");
        api().accept("application/json")
                .get(OPTIMIZATIONS + "/" + id + "/launch?engine=sglang")
                .then()
                .statusCode(200)
                .body("servers[0].options.option.toString()", containsString("--speculative-num-steps 3"))
                .body("servers[1].options.option.toString()", containsString("--speculative-num-steps 3"));
    }
}
