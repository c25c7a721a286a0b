package io.throughputoptimizer.web;

import static io.throughputoptimizer.fixture.RequestEditor.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.restassured.path.json.JsonPath;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Requests that are turns of conversations.
class ConversationIT extends HttpTest {
    private static final String SIMULATIONS = "/api/v1/simulations";
    private static final String ROW = "result.devices[0].phases[0].rows[0].";

    private static final String PAIR = "result.devices[0].pd_ratio.rows[0].";

    private static final String TURNS = """
            {"turns": 6, "system_tokens": 1000, "added_tokens": 400, "generated_tokens": 300, "think_time_s": 20}""";

    private static final String CALIBRATED = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 2,
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"}, "search": {"batch_range": [1, 64]},
             "workload": {"conversation": %s}, "slo": {"tpot_ms": 30, "ttft_basis": "benchmark"}}""".formatted(TURNS);

    private static final String PAIRS =
            with(with(with(CALIBRATED, "/mode", "\"pd_ratio\""), "/num_devices", "4"), "/pd_ratio", """
            {"prefill_devices_per_instance": 2, "decode_devices_per_instance": 2}""");

    private static final String ANALYTIC = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "devices": ["ATLAS_800_A3_752T_128G_DIE"], "num_devices": 4,
             "workload": {"conversation": %s}, "slo": {"tpot_ms": 50}, "serving": {"compile": true}}""".formatted(TURNS);

    private static final String SIMULATION = """
            {"model_id": "Qwen/Qwen3-32B", "device": "H100_SXM", "engine": {"backend": "vllm"},
             "quantization": {"scheme": "FP8"}, "parallel": {"tp": 2},
             "workload": {"conversation": %s}, "traffic": {"concurrency": 64, "waves": 60}}""".formatted(TURNS);

    /// Prompts of 1400 to 4900 tokens, 3150 in the mean, of which all but 400 are found where there is room.
    @ParameterizedTest
    @CsvSource({"calibrated", "analytic"})
    void rowsSayWhatTheCacheKeeps(String model) {
        String id = optimize(model.equals("calibrated") ? CALIBRATED : ANALYTIC)
                .body("request.workload.conversation.turns", equalTo(6))
                .body("request.accounting", equalTo("steady"))
                .body(ROW + "output_length", equalTo(300))
                .body(ROW + "input_length", nullValue())
                .extract()
                .path("id");
        JsonPath answer = api().get(OPTIMIZATIONS + "/" + id).jsonPath();
        double found = answer.getDouble(ROW + "turns_found");
        assertThat(found).isGreaterThan(0).isLessThanOrEqualTo(1);
        // Of the turns that are lost the system prompt is found still.
        double most = 2750 / 3150.0;
        double least = 1000 / 3150.0;
        assertThat(answer.getDouble(ROW + "hit_rate")).isCloseTo(least + found * (most - least), within(1e-9));
        int concurrency = answer.getInt(ROW + "concurrency");
        double cycle = answer.getDouble(ROW + "ttft_ms") + 300 * answer.getDouble(ROW + "tpot_ms");
        assertThat(answer.getDouble(ROW + "open_conversations"))
                .isCloseTo(concurrency * (1 + 20_000 / cycle), within(concurrency * 1e-3));

        assertThat(report(id, "text/plain"))
                .contains("6 turns each, 400 tokens added and 300 generated in each turn, after 1000 of all")
                .contains("1400 to 4900 tokens, mean 3150")
                .contains("Cache hits")
                .contains("Kept Caches");
        NamedCsvRecord record = records(report(id, "text/csv")).getFirst();
        assertThat(Double.parseDouble(record.getField("hit_rate")))
                .isCloseTo(answer.getDouble(ROW + "hit_rate"), within(1e-4));
        assertThat(Double.parseDouble(record.getField("room_kv_tokens"))).isPositive();
    }

    /// Prefill instances keep prompts, and compute answers again: of 18900 tokens 1000 and the five prompts before.
    @Test
    void pairsSayWhatPrefillInstancesKeep() {
        String id = optimize(PAIRS).extract().path("id");
        JsonPath answer = api().get(OPTIMIZATIONS + "/" + id).jsonPath();
        assertThat(answer.getDouble(PAIR + "turns_found")).isGreaterThan(0.9).isLessThan(1);
        assertThat(answer.getDouble(PAIR + "hit_rate"))
                .isLessThan(15_000 / 18_900.0)
                .isGreaterThan(0.9 * 15_000 / 18_900.0);
        int concurrency = answer.getInt(PAIR + "concurrency");
        double cycle = answer.getDouble(PAIR + "ttft_ms") + 300 * answer.getDouble(PAIR + "tpot_ms");
        assertThat(answer.getDouble(PAIR + "open_conversations"))
                .isCloseTo(concurrency * (1 + 20_000 / cycle), within(concurrency * 1e-3));

        assertThat(report(id, "text/plain"))
                .contains("6 turns each, 400 tokens added and 300 generated in each turn, after 1000 of all")
                .contains("Cache hits")
                .contains("Kept Caches");
        NamedCsvRecord record = records(report(id, "text/csv")).getFirst();
        assertThat(Double.parseDouble(record.getField("hit_rate"))).isEqualTo(answer.getDouble(PAIR + "hit_rate"));
        assertThat(Double.parseDouble(record.getField("room_kv_tokens"))).isPositive();
        api().queryParam("engine", "vllm")
                .get(OPTIMIZATIONS + "/" + id + "/launch")
                .then()
                .statusCode(200)
                .body("servers[0].command", not(containsString("--no-enable-prefix-caching")));

        optimize(with(PAIRS, "/workload/conversation/think_time_s", "600"))
                .body(PAIR + "warnings", hasItem(containsString("the KV cache of a prefill rank is too small")));
    }

    /// One turn goes on from no other.
    @ParameterizedTest
    @CsvSource({"calibrated", "analytic", "pairs"})
    void aSingleTurnIsAnsweredAsTheFixedLength(String model) {
        String asked = switch (model) {
            case "calibrated" -> CALIBRATED;
            case "pairs" -> PAIRS;
            default -> with(ANALYTIC, "/accounting", "\"steady\"");
        };
        String single = with(
                asked, "/workload/conversation", "{\"turns\": 1, \"added_tokens\": 3500, \"generated_tokens\": 500}");
        String fixed = with(asked, "/workload", "{\"input_length\": 3500, \"output_length\": 500}");

        assertThat(found(single)).isEqualTo(found(fixed));
    }

    private Map<String, Object> found(String question) {
        Map<String, Object> device = optimize(question).extract().path("result.devices[0]");
        device.remove("assumptions");
        return device;
    }

    /// Those who think for minutes need more than there is, and lose it.
    @Test
    void aShortCacheIsNamed() {
        optimize(with(CALIBRATED, "/workload/conversation/think_time_s", "600"))
                .body(ROW + "warnings", hasItem(containsString("the KV cache is too small")));
        optimize(with(CALIBRATED, "/workload/conversation/keeps_cache", "false"))
                .body(ROW + "hit_rate", equalTo(0.0));
    }

    /// Percentiles are those of clients that think too, ten requests of each.
    @Test
    void aRowIsSimulatedWithAllConversationsThatAreOpen() {
        JsonPath answer =
                optimize(with(CALIBRATED, "/percentiles", "true")).extract().jsonPath();
        assertThat(answer.getInt(ROW + "simulation.requests"))
                .isEqualTo(10 * (int) Math.rint(answer.getDouble(ROW + "open_conversations")));
        assertThat(answer.getDouble(ROW + "simulation.tpot_ms.mean"))
                .isCloseTo(answer.getDouble(ROW + "tpot_ms"), within(3.0));
    }

    /// A benchmark sends prompts of their lengths; the cache stays on.
    @Test
    void aLaunchedRowKeepsItsPrefixCacheAndSaysWhatABenchmarkDoesNotSend() {
        String id = optimize(CALIBRATED).extract().path("id");
        api().queryParam("engine", "vllm")
                .queryParam("benchmark", true)
                .get(OPTIMIZATIONS + "/" + id + "/launch")
                .then()
                .statusCode(200)
                .body("servers[0].command", not(containsString("--no-enable-prefix-caching")))
                .body("checks.not_sent.flatten()", hasItem(containsString("the 6 turns of each conversation")));
    }

    @Test
    void theSimulationHasTheHitRateOfTheLaw() {
        JsonPath simulated = json(SIMULATION)
                .post(SIMULATIONS)
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();
        assertThat(simulated.getDouble("turns.hit_rate")).isCloseTo(2750 / 3150.0, within(0.01 * 2750 / 3150.0));
        assertThat(simulated.getDouble("turns.turns_found")).isEqualTo(1);
        assertThat(simulated.getDouble("turns.context_tokens")).isCloseTo(3150 + 150, within(33.0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/workload/conversation/turns           | 0      | /workload/conversation/turns           | at least 1",
                "/workload/conversation/turns           | 257    | /workload/conversation/turns           | at most 256",
                "/workload/conversation/turns           | null   | /workload/conversation/turns           | is required",
                "/workload/conversation/added_tokens    | 0      | /workload/conversation/added_tokens    | at least 1",
                "/workload/conversation/added_tokens    | 900000 | /workload/conversation/turns           | within 1000000 tokens",
                "/workload/conversation/thinking_tokens | 301    | /workload/conversation/thinking_tokens | at most generated_tokens",
                "/workload/conversation/think_time_s    | -1     | /workload/conversation/think_time_s    | must be 0 or greater",
                "/workload/conversation/generated_tokens | 9000  | /workload/conversation                 | 40960",
                "/workload/input_length                 | 100    | /workload/conversation                 | must not be combined with input_length",
                "/workload/output_length                | 100    | /workload/conversation                | must not be combined with output_length",
                "/workload/prefix_cache_hit_rate        | 0.5    | /workload/prefix_cache_hit_rate        | which determines the hit rate",
                "/traffic/random_range_ratio                  | 0.5    | /traffic/random_range_ratio                  | each turn has its own lengths",
                "/mode                                  | \"disaggregation\" | /workload/conversation      | is not supported in mode"
            })
    void whatCannotBeAskedIsNamed(String member, String value, String pointer, String message) {
        refused(OPTIMIZATIONS, with(CALIBRATED, member, value), pointer, message);
    }

    @Test
    void whatCannotBeAskedOfTheRooflineOrASimulationIsNamed() {
        refused(
                OPTIMIZATIONS,
                with(ANALYTIC, "/accounting", "\"documented\""),
                "/accounting",
                "must be steady with workload.conversation");
        refused(
                OPTIMIZATIONS,
                with(ANALYTIC, "/mode", "\"pd_ratio\""),
                "/workload/conversation",
                "is not supported in mode pd_ratio with cost_model analytic. Use mode aggregation or");
        refused(
                OPTIMIZATIONS,
                with(ANALYTIC, "/workload/conversation/generated_tokens", "9000"),
                "/workload/conversation",
                "40960");
        refused(SIMULATIONS, with(SIMULATION, "/traffic/think_ms", "5"), "/traffic/think_ms", "think_time_s");
        refused(
                SIMULATIONS,
                with(SIMULATION, "/traffic", "{\"request_rate\": 5}"),
                "/traffic/request_rate",
                "a turn waits for the one before");
    }

    @Test
    void conversationsAreCountedWhereThereAreAny() {
        String counted = with(with(CALIBRATED, "/mode", "\"capacity\""), "/demand", "{\"conversations\": 5}");
        refused(
                OPTIMIZATIONS,
                with(counted, "/workload/conversation/turns", "1"),
                "/demand/conversations",
                "requires at least 2 turns");
        refused(
                OPTIMIZATIONS,
                with(counted, "/workload", "{\"input_length\": 1000, \"output_length\": 100}"),
                "/demand/conversations",
                "requires workload.conversation with at least 2 turns. To plan for concurrent requests,");
    }

    private void refused(String path, String body, String pointer, String message) {
        json(body)
                .post(path)
                .then()
                .statusCode(400)
                .body("errors.find { it.pointer == '" + pointer + "' }.detail", containsString(message));
    }
}
