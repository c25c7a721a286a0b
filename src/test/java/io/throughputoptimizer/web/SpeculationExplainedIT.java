package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.path.json.JsonPath;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Explanations of searches whose decode steps draft and verify.
class SpeculationExplainedIT extends HttpTest {
    private static final String ANSWER = "result.explanation.answers[0]";
    private static final String RATES = ", \"acceptance\": {\"rates\": [0.85, 0.6, 0.4]}}";

    private JsonPath search(String sizes, String speculation, String more) {
        return optimize("""
                {"cost_model": "calibrated", "model_id": "Qwen/Qwen3.5-397B-A17B", "devices": ["B200_SXM"],
                 "num_devices": 8, "engine": {"backend": "sglang"}, "quantization": {"scheme": "FP8_BLOCK"},
                 "workload": {"input_length": 900, "output_length": 900},
                 "search": {"tp_sizes": %s, "dp_sizes": [1], "ep_sizes": [1]}%s%s}
                """.formatted(sizes, speculation, more)).extract().jsonPath();
    }

    private static String drafting(String tokens) {
        return ", \"speculation\": {\"num_draft_tokens\": " + tokens + RATES;
    }

    private static String within(double tpot) {
        return ", \"explain\": true, \"slo\": {\"tpot_ms\": " + tpot + "}";
    }

    private static Object withoutVariants(Object value) {
        return switch (value) {
            case Map<?, ?> members -> {
                Map<Object, Object> kept = new HashMap<>();
                members.forEach((name, member) -> {
                    if (!name.equals("variant") && member != null) {
                        kept.put(name, withoutVariants(member));
                    }
                });
                yield kept;
            }
            case List<?> elements ->
                elements.stream().map(SpeculationExplainedIT::withoutVariants).toList();
            default -> value;
        };
    }

    @Test
    void noDraftsAreExplainedAsASearchWithoutSpeculation() {
        assertThat(withoutVariants(search("[4]", drafting("0"), within(15)).getMap(ANSWER)))
                .isEqualTo(withoutVariants(search("[4]", "", within(15)).getMap(ANSWER)));
    }

    @Test
    @EveryNight
    void everyNumberOfDraftsIsExplained() {
        JsonPath answer = search("[4]", drafting("[0, 3]"), within(15));
        String row = "result.devices[0].phases[0].rows";

        assertThat(answer.getList(ANSWER + ".bottlenecks.label", String.class))
                .hasSize(2)
                .containsExactlyElementsOf(answer.getList(row + ".parallel.label", String.class))
                .anyMatch(label -> label.endsWith(" | MTP=3"));
        assertThat(answer.getList(ANSWER + ".bottlenecks.limited_by", String.class))
                .containsOnly("tpot");
        assertThat(answer.getList(ANSWER + ".bottlenecks[0].passes[1].operators.name", String.class))
                .isNotEmpty();
        assertThat(answer.getString(ANSWER + ".best.instances[0].label"))
                .isEqualTo(answer.getString(row + "[0].parallel.label"));
        assertThat(answer.getString(ANSWER + ".pareto_frontier")).contains("MTP=3");
    }

    /// Drafts are kept by every change.
    @Test
    void aChangeIsSearchedWithTheSameDrafts() {
        JsonPath answer = search("[4]", drafting("[0, 3]"), within(15));
        double wider = answer.getDouble(ANSWER + ".sensitivities.find { it.change.lever == 'tpot_limit' }.change.to");
        JsonPath then = search("[4]", drafting("[0, 3]"), within(wider));

        assertThat(answer.getDouble(
                        ANSWER + ".sensitivities.find { it.change.lever == 'tpot_limit' }.plan.tokens_per_s"))
                .isEqualTo(then.getDouble("result.devices[0].phases[0].rows[0].tokens_per_s"));
    }

    /// A limit that eight ranks keep which draft, and neither four nor any without drafts.
    @Test
    void theNearestPlanKeepsTheDrafts() {
        double limit = 1.01 * fastest("[8]", drafting("3"));
        assertThat(fastest("[4]", drafting("3"))).isGreaterThan(limit);
        assertThat(fastest("[8]", "")).isGreaterThan(limit);

        List<String> levers = search("[4]", drafting("3"), within(limit))
                .getList(ANSWER + ".nearest_feasible.changes.flatten().lever", String.class);

        assertThat(levers).contains("tensor_parallel");
    }

    private double fastest(String sizes, String speculation) {
        return search(sizes, speculation, ", \"objective\": {\"name\": \"tokens_per_s_per_user\"}")
                .getDouble("result.devices[0].phases[0].rows[0].tpot_ms");
    }

    @Test
    void pairsAreExplainedWithTheDraftsOfDecodeInstances() {
        JsonPath answer = search(
                "[4]",
                drafting("[0, 3]"),
                within(15)
                        + ", \"mode\": \"pd_ratio\", \"pd_ratio\": {\"prefill_devices_per_instance\": 4,"
                        + " \"decode_devices_per_instance\": 4}");

        assertThat(answer.getList(ANSWER + ".bottlenecks.label", String.class))
                .hasSize(2)
                .anyMatch(label -> label.endsWith(" | MTP=3"))
                .noneMatch(label -> label.contains("MTP=3 feed"));
        assertThat(answer.getString(ANSWER + ".best.instances[1].label"))
                .isEqualTo(answer.getString("result.devices[0].pd_ratio.rows[0].parallel_d.label"));
    }
}
