package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasItem;

import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.restassured.path.json.JsonPath;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.util.DoubleComparator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How much of what steps of cost model `analytic` draft is accepted, said in the ways of `speculation`.
class MtpAcceptanceIT extends HttpTest {
    private static final String ROWS = "result.devices[0].phases[0].rows";
    private static final String CURVE = "{\"curve\": \"glm-5.2-fp8/mtp/thinking\"}";
    private static final String RATES = "[0.85, 0.6, 0.4]";

    private static String question(String drafts, String acceptance) {
        return """
                {"model_id": "deepseek-ai/DeepSeek-V3.1", "devices": ["TEST_DEVICE"], "num_devices": 16, "mode": "disaggregation",
                 "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"tpot_ms": 50},
                 "search": {"tp_sizes": [4]},
                 "serving": {"compile": true, "num_mtp_tokens": %s%s}}""".formatted(drafts, acceptance);
    }

    private static String accepting(String drafts, String acceptance) {
        return question(drafts, ", \"mtp_acceptance\": " + acceptance);
    }

    private JsonPath answered(String question) {
        return optimize(question).extract().jsonPath();
    }

    /// All that a row says but how much it was told to accept.
    private static List<Map<String, Object>> figures(JsonPath answer) {
        return answer.<Map<String, Object>>getList(ROWS).stream()
                .map(row -> {
                    Map<String, Object> figures = new HashMap<>(row);
                    figures.remove("parallel");
                    return figures;
                })
                .toList();
    }

    /// The tokens of a step are added up in another order.
    private static void assertSame(JsonPath answer, JsonPath other) {
        assertThat(figures(answer))
                .isNotEmpty()
                .usingRecursiveComparison()
                .withComparatorForType(new DoubleComparator(1e-9), Double.class)
                .isEqualTo(figures(other));
    }

    @Test
    void ratesThatAreNotAboveTheOneBeforeMeanWhatTheListHasAlwaysMeant() {
        String drafts = "[0, 1, 2, 3]";
        JsonPath ofOld = answered(question(drafts, ", \"mtp_acceptance_rate\": " + RATES));
        JsonPath ofNew = answered(accepting(drafts, "{\"rates\": " + RATES + "}"));

        assertSame(ofNew, ofOld);
        assertThat(ofNew.getList(ROWS + ".parallel.label")).isEqualTo(ofOld.getList(ROWS + ".parallel.label"));
    }

    @Test
    void aLengthIsWhatAStepYields() {
        JsonPath answer = answered(accepting("3", "{\"length\": 2.6}"));
        JsonPath alone = answered(question("3", ", \"mtp_acceptance_rate\": [0.8, 0.5, 0.3]"));

        assertSame(answer, alone);
        assertThat(answer.getMap(ROWS + "[0].parallel.variant"))
                .isEqualTo(Map.of("num_mtp_tokens", 3, "acceptance_length", 2.6));
        assertThat(alone.getMap(ROWS + "[0].parallel.variant")).isNull();
        assertThat(answer.getList("result.devices[0].assumptions.text", String.class))
                .contains("3 draft tokens a step, which yields 2.6");
        assertThat(answer.getMap("request.serving"))
                .containsEntry("mtp_acceptance", Map.of("length", 2.6))
                .doesNotContainKey("mtp_acceptance_rate");
    }

    @Test
    void aCurveSaysWhatEachNumberOfDraftsYields() {
        JsonPath answer = answered(accepting("[0, 1, 3]", CURVE));
        Map<Integer, Double> yields = Map.of(1, 1.84, 3, 2.99);

        assertThat(answer.<Map<String, Object>>getList(ROWS + ".parallel.variant"))
                .allSatisfy(variant -> assertThat(variant.get("acceptance_length"))
                        .isEqualTo(yields.get(variant.get("num_mtp_tokens"))))
                .hasSize(3);
        yields.forEach((drafts, accepted) -> {
            String row = ROWS + ".find { it.parallel.variant.num_mtp_tokens == " + drafts + " }.";
            JsonPath one = answered(accepting(Integer.toString(drafts), "{\"length\": " + accepted + "}"));
            assertThat(answer.getDouble(row + "tpot_ms")).isEqualTo(one.getDouble(ROWS + "[0].tpot_ms"), within(1e-9));
        });
        assertThat(answer.getList("result.devices[0].assumptions.text", String.class))
                .contains("1 draft tokens a step, which yields 1.84, or 3 draft tokens a step, which yields 2.99, as"
                        + " glm-5.2-fp8/mtp/thinking on prompts of SPEED-Bench's category coding");
    }

    @Test
    void tablesSayWhatAStepYields() {
        String question = accepting("[0, 3]", CURVE);

        assertThat(answer(question, "text/plain")).contains("Tokens a step", "which yields 2.99");
        List<NamedCsvRecord> records = records(answer(question, "text/csv"));
        assertThat(records)
                .extracting(row -> row.getField("num_mtp_tokens") + " " + row.getField("acceptance_length"))
                .containsExactlyInAnyOrder("3 2.99", "0 ");
        assertThat(answer(question("[0, 3]", ""), "text/csv")).doesNotContain("acceptance_length");
    }

    @Test
    void pairsAndDemandsTakeIt() {
        String asked = accepting("3", CURVE).replace("\"mode\": \"disaggregation\"", "\"mode\": \"%s\", %s");
        String pairs = asked.formatted(
                "pd_ratio",
                "\"pd_ratio\": {\"prefill_devices_per_instance\": 16, \"decode_devices_per_instance\": 16}");
        String demand = asked.formatted("capacity", "\"demand\": {\"concurrency\": 16}, \"instance_sizes\": [16]")
                .replace("\"num_devices\": 16", "\"num_devices\": 64");
        Map<String, Object> variant = Map.of("num_mtp_tokens", 3, "acceptance_length", 2.99);

        assertThat(answered(pairs).<Object>getList("result.devices[0].pd_ratio.rows.parallel_d.variant"))
                .isNotEmpty()
                .containsOnly(variant);
        assertThat(records(answer(pairs, "text/csv")))
                .extracting(row -> row.getField("acceptance_length"))
                .containsOnly("2.99");
        assertThat(answered(demand).<Object>getList("result.capacity.rows[0].instances.load.parallel.variant"))
                .isNotEmpty()
                .containsOnly(variant);
        assertThat(records(answer(demand, "text/csv")))
                .extracting(row -> row.getField("acceptance_length"))
                .containsOnly("2.99");
    }

    /// A length is known of the numbers that were asked for, a curve of others too.
    @Test
    void explanationsTryTheNumbersOfDraftsWhoseAcceptanceIsKnown() {
        assertThat(triedDrafts("{\"length\": 1.8}")).containsExactly("0.0");
        assertThat(triedDrafts(CURVE)).containsExactlyInAnyOrder("0.0", "2.0");
    }

    private List<String> triedDrafts(String acceptance) {
        String id = answered(accepting("1", acceptance).replace("\"search\"", "\"explain\": true, \"search\""))
                .getString("id");
        String changes = api().accept("text/csv")
                .get(OPTIMIZATIONS + "/" + id + "/result?table=sensitivities")
                .then()
                .statusCode(200)
                .extract()
                .asString();
        return records(changes).stream()
                .filter(change -> change.getField("lever").equals("draft_tokens"))
                .map(change -> change.getField("to"))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            3      | {}                                           | /serving/mtp_acceptance          | must have exactly one of length, rates and curve
            3      | {"length": 2, "curve": "kimi-k3/dspark/thinking"} | /serving/mtp_acceptance    | must have exactly one of length, rates and curve
            2      | {"length": 3.5}                            | /serving/mtp_acceptance/length | at most 3
            3      | {"length": 0.5}                            | /serving/mtp_acceptance/length | 1
            [1, 2] | {"length": 1.5}                            | /serving/mtp_acceptance/length | rates or curve
            3      | {"rates": [0.5]}                             | /serving/mtp_acceptance/rates    | must have 3 values, one per draft token
            2      | {"rates": [0.5, 0.6]}                        | /serving/mtp_acceptance/rates/1  | must not be above the previous rate
            2      | {"curve": "none"}                            | /serving/mtp_acceptance/curve    | glm-5.2-fp8/mtp/thinking
            9      | {"curve": "glm-5.2-fp8/mtp/thinking"}        | /serving/num_mtp_tokens          | of 1, 2, 3, 4, 5, 6, 7, 8
            1      | {"length": 1.5}, "mtp_acceptance_rate": [] | /serving/mtp_acceptance_rate     | must not be combined with mtp_acceptance. Remove one
            """)
    void whatCannotBeIsRefusedByName(String drafts, String acceptance, String pointer, String words) {
        json(accepting(drafts, acceptance))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", hasItem(pointer))
                .body("errors.toString()", containsString(words));
    }
}
