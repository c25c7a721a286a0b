package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.throughputoptimizer.web.description.Examples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;

/// What benchmarks printed, over HTTP.
@TestPropertySource(properties = "optimizer.http.maximum-trace=2MB")
class MeasurementIT extends HttpTest {
    private static final String PATH = MeasurementController.PATH;
    private static final String BESIDE =
            "?model_id=Qwen/Qwen3-32B&device=H100_SXM&scheme=FP8&backend=vllm&version=0.11.0";

    @Autowired
    private JdbcClient jdbc;

    /// A plan of the same configuration has the same figures and bands.
    @Test
    void rowsComeBackWithWhatAPlanPredicts() {
        Response taken = json(Examples.text("measurements.json")).post(PATH);
        double tpot = optimize("""
                        {"model_id": "Qwen/Qwen3-32B", "cost_model": "calibrated", "devices": ["H100_SXM"], "num_devices": 2,
                         "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
                         "workload": {"input_length": 3500, "output_length": 1500},
                         "search": {"tp_sizes": [2], "batch_range": [40, 40]}}""").extract().path("result.devices[0].phases[0].rows[0].tpot_ms");

        taken.then()
                .statusCode(201)
                .header("Location", equalTo(PATH + "/" + taken.path("id")))
                .body("source", equalTo("rows"))
                .body("group.model", equalTo("Qwen/Qwen3-32B"))
                .body("group.quantization", equalTo("FP8"))
                .body("group.kv_cache_dtype", equalTo("fp8"))
                .body("group.device", equalTo("H100_SXM"))
                .body("group.engine", equalTo("vllm"))
                .body("group.version", equalTo("0.11.0"))
                .body("cost_model", equalTo("calibrated"))
                .body("learnt_from", equalTo(true))
                .body("not_learnt_from", nullValue())
                .body("number_of_rows", equalTo(3))
                .body("rows.concurrency", contains(8, 40, 82))
                .body("rows[1].predicted.tpot_ms", closeTo(tpot, 1e-9))
                .body("rows[1].ratio.tpot_ms", closeTo(21.9 / tpot, 1e-12))
                .body("rows[1].predicted.tpot_ms_band.basis", equalTo("tpot/dense"))
                .body("rows.in_band.tpot_ms", contains(true, true, true))
                .body("rows[1].in_band.ttft_ms", equalTo(false))
                .body("rows[1].in_band.tokens_per_s", nullValue())
                .body("rows[1].learnt.tpot_ms_band.basis", equalTo("feedback"))
                .body("rows[1].learnt.tpot_ms", allOf(greaterThan(0.9 * 21.9), lessThan(1.1 * 21.9)))
                .body("errors_learnt.tpot_percent", lessThan(5.0));
        api().get(PATH + "/" + taken.path("id")).then().statusCode(200).body(equalTo(taken.asString()));
    }

    @Test
    void devicesWithoutMeasuredServersAreComparedAndNotLearntFrom() {
        yaml(Examples.text("measured-on-ascend.json"))
                .post(PATH)
                .then()
                .statusCode(201)
                .body("cost_model", equalTo("analytic"))
                .body("learnt_from", equalTo(false))
                .body("not_learnt_from", containsString("no server of vllm-ascend was measured"))
                .body("errors_learnt", nullValue())
                .body("rows[0].concurrency", equalTo(48))
                .body("rows[0].predicted.tpot_ms", notNullValue())
                .body("rows[0].predicted.tpot_ms_band", nullValue())
                .body("rows[0].ratio.tpot_ms", notNullValue())
                .body("rows[0].in_band.tpot_ms", nullValue())
                .body("rows[0].notes[0]", containsString("Little's law"));
        json("""
                {"model_id": "Qwen/Qwen3-8B", "device": "TEST_DEVICE", "engine": {"backend": "vllm", "version": "1"},
                 "rows": [{"parallel": {"tp": 1}, "concurrency": 4, "input_length": 100, "output_length": 100, "tpot_ms": 20}]}""")
                .post(PATH)
                .then()
                .statusCode(201)
                .body("learnt_from", equalTo(false))
                .body("not_learnt_from", containsString("TEST_DEVICE has no calibration"));
    }

    @Test
    void denseModelsIgnoreExpertGroups() {
        json(Examples.text("measurements.json").replace("{\"tp\": 2}", "{\"tp\": 2, \"ep\": 2}"))
                .post(PATH)
                .then()
                .statusCode(201)
                .body("rows.parallel.ep", everyItem(equalTo(1)));
    }

    /// A rate is a load that some concurrency has in the mean, however large its figures are.
    @ParameterizedTest
    @CsvSource({"1e-9, 1", "1.5, 50", "1e9, 500000"})
    void ratesBecomeConcurrencies(double rate, int concurrency) {
        Response answer = json(Examples.text("measurements.json")
                        .replace("\"concurrency\": 40", "\"request_rate\": " + rate))
                .post(PATH);

        answer.then()
                .statusCode(201)
                .body("rows[1].concurrency", equalTo(concurrency))
                .body("rows[1].request_rate", closeTo(rate, 0))
                .body("rows[1].notes[0]", containsString("Little's law"));
    }

    @ParameterizedTest
    @CsvSource({
        "vllm.json,           application/json,     vllm bench serve,       1, '&tp=2',            82",
        "vllm-appended.jsonl, application/x-ndjson, vllm bench serve,       3, '',                 82",
        "vllm-appended.jsonl, application/json,     vllm bench serve,       3, '',                 82",
        "vllm-rate.json,      application/json,     vllm bench serve,       1, '&tp=2',            71",
        "sglang.jsonl,        application/jsonl,    sglang bench_serving,   3, '&tp=2',            82",
        "guidellm.json,       application/json,     guidellm,               3, '&tp=2',            82",
        "guidellm.csv,        text/csv,             guidellm,               3, '&tp=2',            82",
        "guidellm-rate.json,  application/json,     guidellm,               1, '&tp=2',            39",
        "llm-d-0.1.yaml,      application/yaml,     llm-d benchmark report, 1, '',                 82",
        "llm-d-0.2.yaml,      application/yaml,     llm-d benchmark report, 1, '',                 82",
        "llm-d-0.2.json,      application/json,     llm-d benchmark report, 1, '',                 82",
        "aiperf.json,         application/json,     aiperf,                 1, '&tp=2',            82",
        "aiperf.csv,          text/csv,             aiperf,                 1, '&tp=2&concurrency=82', 82",
        "genai-perf.json,     application/json,     aiperf,                 1, '&tp=2',            8",
        "genai-perf.csv,      text/csv,             aiperf,                 1, '&tp=2&concurrency=82', 82"
    })
    void filesOfToolsBecomeRows(String name, String type, String source, int rows, String more, int concurrency)
            throws IOException {
        file(file(name), type, BESIDE + more)
                .then()
                .statusCode(201)
                .body("source", equalTo(source))
                .body("group.version", equalTo("0.11.0"))
                .body("rows", hasSize(rows))
                .body("rows[-1].concurrency", equalTo(concurrency))
                .body("rows.parallel.tp", everyItem(equalTo(2)))
                .body("rows.input_length", everyItem(equalTo(3500)))
                .body("rows.output_length", everyItem(equalTo(1500)))
                .body("rows.predicted.tpot_ms", everyItem(notNullValue()))
                .body("rows.ratio.tpot_ms", everyItem(notNullValue()));
    }

    /// What all files say alike becomes the same row.
    @Test
    void theSameRunHasTheSameRatiosWhicheverToolWroteIt() throws IOException {
        List<Double> ratios = new ArrayList<>();
        for (String name : List.of("vllm.json", "sglang.jsonl", "guidellm.json", "aiperf.json", "llm-d-0.2.json")) {
            ratios.add(file(file(name), "application/json", BESIDE + "&tp=2").path("rows[-1].ratio.ttft_ms"));
        }

        assertThat(ratios).allSatisfy(ratio -> assertThat(ratio).isEqualTo(ratios.getFirst()));
    }

    @ParameterizedTest
    @CsvSource({
        "model_id=Qwen/Qwen3-32B&, '', model_id, 'is required'",
        "device=H100_SXM&,         '', device,   'is required'",
        "device=H100_SXM,          device=H100_SX, device, 'nearest to it: H100_SXM'",
        "&scheme=FP8,              '', scheme,   'is required with cost_model calibrated'",
        "FP8,                      FP9, scheme,  'must be one of'",
        "&backend=vllm,            '', backend,  'is required'",
        "=vllm,                    =vlm, backend, 'vllm'",
        "&version=0.11.0,          '', version,  'is required'",
        "&tp=2,                    '', tp,       'is required'",
        "&tp=2,                    &tp=two, tp,  'a whole number'",
        "&tp=2,                    &tp=3, tp,    'cannot be used'",
        "&tp=2,                    &tp=2&dp=4, dp, 'must divide the 82 concurrent requests of'",
        "&tp=2,                    &tp=2&replicas=5, replicas, 'must divide the 82 concurrent requests of'",
        "Qwen3-32B,                Qwen3-8B, model_id, 'must be the model of the file, \"Qwen/Qwen3-32B\"'",
        "&tp=2,                    &tp=2&served_model=mine, served_model, 'must be the model of the file'"
    })
    void whatIsMissingOrWrongBesideAFileIsNamed(String said, String instead, String parameter, String rule)
            throws IOException {
        int before = kept();

        file(file("vllm.json"), "application/json", (BESIDE + "&tp=2").replace(said, instead == null ? "" : instead))
                .then()
                .statusCode(400)
                .contentType("application/problem+json")
                .body("errors[0].parameter", equalTo(parameter))
                .body("errors[0].detail", containsString(rule));
        assertThat(kept()).isEqualTo(before);
    }

    @Test
    void filesThatSayAnotherServerAreRefused() throws IOException {
        String lines = file("vllm-appended.jsonl");

        file(lines, "application/json", BESIDE.replace("0.11.0", "0.12.0"))
                .then()
                .statusCode(400)
                .body("errors[0].parameter", equalTo("version"))
                .body("errors[0].detail", containsString("the value of line 1, \"0.11.0\""));
        file(lines.replaceFirst("\"version\": \"0.11.0\"", "\"version\": \"0.10.2\""), "application/json", BESIDE)
                .then()
                .statusCode(400)
                .body("errors[0].parameter", equalTo("version"));
        file(lines.replaceFirst("Qwen/Qwen3-32B", "Qwen/Qwen3-8B"), "application/json", BESIDE)
                .then()
                .statusCode(400)
                .body("errors[0].parameter", equalTo("model_id"));
        file(lines.replace("Qwen/Qwen3-32B", "/models/own"), "application/json", BESIDE + "&served_model=/models/own")
                .then()
                .statusCode(201);
    }

    @Test
    void replicasShareTheLoad() throws IOException {
        file(file("vllm.json"), "application/json", BESIDE + "&tp=2&replicas=2")
                .then()
                .statusCode(201)
                .body("rows[0].concurrency", equalTo(41))
                .body("rows[0].tokens_per_s", closeTo(2558.7 / 2, 20))
                .body("rows[0].notes[0]", equalTo("82 requests outstanding at 2 instances, 41 at each"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "31.6 | NaN",
                "31.6 | Infinity",
                "31.6 | -1",
                "31.6 | 0",
                "31.6 | [[[[31.6]]]]",
                "31.6 | 1e400",
                "\"mean_tpot_ms\": 31.6, \"median | \"median",
                "1230000 | 0",
                "\"completed\": 820 | \"completed\": 1e300"
            })
    void hostileFiguresAreRefusedAndNothingIsKept(String good, String bad) throws IOException {
        int before = kept();
        String file = file("vllm.json");
        assertThat(file).contains(good);

        Response answer = file(file.replace(good, bad), "application/json", BESIDE + "&tp=2");

        if (!bad.equals("\"median")) {
            answer.then()
                    .statusCode(400)
                    .contentType("application/problem+json")
                    .body("errors", hasSize(1))
                    .body("errors[0].detail", not(equalTo("")));
            assertThat(kept()).isEqualTo(before);
        } else {
            answer.then().statusCode(201).body("rows[0].tpot_ms", nullValue());
        }
    }

    @Test
    void filesAreBoundedAndTakenInTheirOwnForms() throws IOException {
        int before = kept();

        file("x".repeat(3 << 20), "application/json", BESIDE).then().statusCode(413);
        file("[" + "1,".repeat(900_000) + "1]", "application/json", BESIDE)
                .then()
                .statusCode(400);
        file("{\"a\":".repeat(300_000), "application/json", BESIDE).then().statusCode(400);
        file("Metric,avg\n" + "9".repeat(1_900_000), "text/csv", BESIDE).then().statusCode(400);
        file("\u0000\u0001\u0002", "application/json", BESIDE).then().statusCode(400);
        file(file("vllm.json"), "application/octet-stream", BESIDE).then().statusCode(415);
        api().contentType("application/json")
                .header("Content-Encoding", "gzip")
                .body("{}")
                .post(MeasurementController.FILES + BESIDE)
                .then()
                .statusCode(415);
        assertThat(kept()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"concurrency\": 40 | \"concurrency\": 0 | /rows/1/concurrency",
                "\"concurrency\": 40 | \"concurrency\": 1.5 | /rows/1/concurrency",
                "\"concurrency\": 40, | '' | /rows/1",
                "\"tpot_ms\": 21.9 | \"tpot_ms\": -1 | /rows/1/tpot_ms",
                "\"tpot_ms\": 21.9, \"ttft_ms\": 402 | \"waves\": 10 | /rows/1",
                "\"tpot_ms\": 21.9 | \"tpot\": 21.9 | /rows/1/tpot",
                "\"tpot_ms\": 21.9 | \"speculation\": {\"num_draft_tokens\": 3}, \"tpot_ms\": 21.9 | /rows/1/speculation",
                "{\"tp\": 2} | {\"tp\": 3} | /rows/0/parallel",
                "{\"tp\": 2}, \"concurrency\": 40 | {\"tp\": 2, \"dp\": 3}, \"concurrency\": 40 | /rows/1/concurrency",
                "3500, \"output_length\": 1500, \"tpot_ms\": 21.9 | 350000, \"output_length\": 1500, \"tpot_ms\": 21.9 | /rows/1/input_length",
                "\"version\": \"0.11.0\" | \"version\": \"\" | /engine/version",
                ", \"version\": \"0.11.0\" | '' | /engine/version",
                "\"backend\": \"vllm\", | '' | /engine/backend",
                "\"backend\": \"vllm\" | \"backend\": {\"H100_SXM\": \"vllm\"} | /engine/backend",
                "H100_SXM | H100_SX | /device",
                "\"device\": \"H100_SXM\", | '' | /device",
                "Qwen/Qwen3-32B | Qwen/Qwen3-33B | /model_id",
                "{\"scheme\": \"FP8\"} | {\"linear\": \"W8A8_DYNAMIC\"} | /quantization"
            })
    void aRowThatBreaksARuleIsRefusedWithItsPlace(String good, String bad, String pointer) {
        int before = kept();
        assertThat(Examples.text("measurements.json")).contains(good);

        json(Examples.text("measurements.json").replace(good, bad == null ? "" : bad))
                .post(PATH)
                .then()
                .statusCode(400)
                .body("errors.pointer", everyItem(allOf(notNullValue())))
                .body("errors[0].pointer", containsString(pointer));
        assertThat(kept()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ", \"rows\": null", ", \"rows\": []", ", \"rows\": [null]"})
    void aSetWithoutRowsIsRefused(String rows) {
        json("{\"model_id\": \"Qwen/Qwen3-32B\", \"device\": \"H100_SXM\","
                        + " \"engine\": {\"backend\": \"vllm\", \"version\": \"1\"}" + rows + "}")
                .post(PATH)
                .then()
                .statusCode(400)
                .body("errors[0].pointer", containsString("/rows"));
    }

    private static final String PLAN = """
            {"model_id": "Qwen/Qwen3-32B", "cost_model": "calibrated", "devices": ["H100_SXM"], "num_devices": 2,
             "engine": {"backend": "vllm", "version": "0.11.0"}, "quantization": {"scheme": "FP8"},
             "workload": {"input_length": 3500, "output_length": 1500},
             "search": {"tp_sizes": [2], "batch_range": [60, 60]}, "feedback": %s}""";

    /// A plan that names a set is the plan with its rows.
    @Test
    void aPlanLearnsFromASetThatItNames() {
        Response set = json(Examples.text("measurements.json")).post(PATH);
        String id = set.path("id");
        String rows = Examples.text("measurements.json").replaceFirst("(?s).*\"rows\": (\\[.*])\\s*}\\s*$", "$1");

        JsonPath named = optimize(PLAN.formatted("{\"measurements\": [\"" + id + "\"]}"))
                .extract()
                .jsonPath();
        JsonPath inline =
                optimize(PLAN.formatted("{\"rows\": " + rows + "}")).extract().jsonPath();

        for (String figure : List.of("tpot_ms", "ttft_ms", "tokens_per_s", "tpot_ms_band", "plain", "learnt_from")) {
            String path = "result.devices[0].phases[0].rows[0]." + figure;
            assertThat(named.<Object>get(path)).as(figure).isNotNull().isEqualTo(inline.get(path));
        }
        assertThat(named.getList("request.feedback.rows.measurement", String.class))
                .containsExactly(id, id, id);
        assertThat(named.<Object>get("request.feedback.measurements")).isNull();
        api().delete(PATH + "/" + id).then().statusCode(204);
        assertThat(api().get(OPTIMIZATIONS + "/" + named.getString("id"))
                        .path("status")
                        .toString())
                .isEqualTo("succeeded");
    }

    @Test
    void aSetOfAnotherServerIsRefusedWithTheMemberThatDiffers() {
        String id = json(Examples.text("measurements.json")).post(PATH).path("id");
        String ascend =
                yaml(Examples.text("measured-on-ascend.json")).post(PATH).path("id");
        String plan = PLAN.formatted("{\"measurements\": [\"" + id + "\"]}");

        refusedPlan(plan.replace("0.11.0", "0.12.0"), "engine.version is 0.11.0 there and 0.12.0 here");
        refusedPlan(plan.replace("H100_SXM", "H200_SXM"), "device is H100_SXM there");
        refusedPlan(plan.replace("\"FP8\"", "\"BF16\""), "quantization.scheme is FP8 there");
        refusedPlan(plan.replace("\"0.11.0\"", "\"0.11.0\", \"kv_cache_dtype\": \"bf16\""), "engine.kv_cache_dtype is");
        refusedPlan(plan.replace("Qwen3-32B", "Qwen3-14B"), "model_id is Qwen/Qwen3-32B there");
        refusedPlan(
                plan.replace(id, "00000000-0000-4000-8000-000000000000"), "must be the id of a set of measurements");
        refusedPlan(plan.replace(id, "nonsense"), "must be the id of a set of measurements");
        refusedPlan(plan.replace(id, ascend), "which no plan learns from");
    }

    @Test
    void setsOfMoreThanFiftyRowsTogetherAreRefused() {
        String rows = Examples.text("measurements.json").replaceFirst("(?s).*\"rows\": \\[(.*)]\\s*}\\s*$", "$1");
        String nine = Examples.text("measurements.json").replace(rows, String.join(",", Collections.nCopies(9, rows)));
        String one = json(nine).post(PATH).path("id");
        String other = json(nine).post(PATH).path("id");

        refusedPlan(PLAN.formatted("{\"measurements\": [\"" + one + "\", \"" + other + "\"]}"), "50");
        optimize(PLAN.formatted("{\"measurements\": [\"" + one + "\"]}"))
                .body("result.devices[0].feedback.rows", equalTo(27));
    }

    private void refusedPlan(String plan, String reason) {
        json(plan)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors[0].pointer", containsString("/feedback/measurements"))
                .body("errors[0].detail", containsString(reason));
    }

    @Test
    void setsAreListedInPagesAndRemoved() {
        String first = json(Examples.text("measurements.json")).post(PATH).path("id");
        String second = json(Examples.text("measurements.json")).post(PATH).path("id");

        String next = api().get(PATH + "?limit=1")
                .then()
                .statusCode(200)
                .body("measurements.id", contains(second))
                .body("measurements[0].number_of_rows", equalTo(3))
                .body("measurements[0].errors.tpot_percent", notNullValue())
                .body("measurements[0].rows", nullValue())
                .extract()
                .path("next_cursor");
        api().get(PATH + "?limit=1&cursor=" + next).then().body("measurements.id", contains(first));
        api().get(PATH + "?limit=0").then().statusCode(400).body("errors[0].parameter", equalTo("limit"));
        api().get(PATH + "?cursor=x").then().statusCode(400).body("errors[0].parameter", equalTo("cursor"));
        api().delete(PATH + "/" + first).then().statusCode(204);
        api().delete(PATH + "/" + first).then().statusCode(404);
        api().get(PATH + "/" + first).then().statusCode(404);
        api().get(PATH + "/nonsense").then().statusCode(404);
        api().get(PATH + "/" + second).then().statusCode(200);
    }

    private int kept() {
        return jdbc.sql("SELECT COUNT(*) FROM measurement_set")
                .query(Integer.class)
                .single();
    }

    private static String file(String name) throws IOException {
        try (var stream = Objects.requireNonNull(MeasurementIT.class.getResourceAsStream("/measurements/" + name))) {
            return new String(stream.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        }
    }

    private Response file(String content, String type, String query) {
        return api().contentType(type)
                .body(content.getBytes(java.nio.charset.StandardCharsets.UTF_8))
                .post(MeasurementController.FILES + query);
    }
}
