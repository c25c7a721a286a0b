package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Plans that learn from a benchmark of the server, over HTTP.
class FeedbackIT extends HttpTest {
    private static final String ROW = "result.devices[0].phases[0].rows[0].";
    private static final String DEVICE = "result.devices[0].";

    private static String row(int tp, int concurrency, String figures) {
        return """
                {"parallel": {"tp": %d}, "concurrency": %d, "input_length": 8192, "output_length": 1024, %s}""".formatted(tp, concurrency, figures);
    }

    private static String rows(String... rows) {
        return """
                , "feedback": {"rows": [%s]}""".formatted(String.join(",", rows));
    }

    private static String llama(String more) {
        return """
            {"cost_model": "calibrated", "model_id": "meta-llama/Meta-Llama-3.1-70B", "devices": ["H200_SXM"], "num_devices": 8,
             "workload": {"input_length": 8192, "output_length": 1024}, "traffic": {"random_range_ratio": 0.8, "waves": 10},
             "engine": {"backend": "vllm", "version": "0.11.0"}, "quantization": {"scheme": "FP8"},
             "slo": {"tpot_ms": 50}%s}""".formatted(more);
    }

    /// What the model says of one layout and concurrency.
    private JsonPath plain(int tp, int concurrency) {
        return optimize(llama("""
                , "search": {"tp_sizes": [%d], "batch_range": [%d, %d]}""".formatted(tp, concurrency, concurrency))
                        .replace("\"num_devices\": 8", "\"num_devices\": " + tp)
                        .replace("\"tpot_ms\": 50", "\"tpot_ms\": \"inf\""))
                .extract()
                .jsonPath();
    }

    private static String asMuchLonger(JsonPath plain, double factor, double millis) {
        return "\"tpot_ms\": %s, \"ttft_ms\": %s"
                .formatted(plain.getDouble(ROW + "tpot_ms") + millis, plain.getDouble(ROW + "ttft_ms") * factor);
    }

    /// Three rows of a server whose steps take 3 ms longer than the model says.
    private String slowServer() {
        return rows(
                row(4, 4, asMuchLonger(plain(4, 4), 1.1, 3)),
                row(4, 16, asMuchLonger(plain(4, 16), 1.1, 3)),
                row(4, 64, asMuchLonger(plain(4, 64), 1.1, 3)));
    }

    @Test
    void figuresAreCorrectedAndLimitsHeldAgainstThem() {
        ValidatableResponse answer = optimize(llama(slowServer()))
                .body(DEVICE + "feedback.rows", equalTo(3))
                .body(DEVICE + "feedback.figures", equalTo(6))
                .body(DEVICE + "feedback.tpot_figures", equalTo(3))
                .body(DEVICE + "feedback.rejected", empty())
                .body(DEVICE + "feedback.scale", lessThan(2.0))
                .body(DEVICE + "feedback.parameters.step_gap_ms", greaterThan(1.0))
                .body(DEVICE + "feedback.learnt", containsString("each step takes"))
                .body(DEVICE + "feedback.learnt", containsString("ms longer than measured kernels explain"))
                .body(DEVICE + "feedback.warnings", nullValue())
                .body(DEVICE + "phases[0].rows.tpot_ms", everyItem(lessThanOrEqualTo(50.0)))
                .body(DEVICE + "phases[0].rows.plain", everyItem(notNullValue()))
                .body(ROW + "tpot_ms_band.basis", notNullValue())
                .body(ROW + "ttft_burst_ms", notNullValue());
        JsonPath json = answer.extract().jsonPath();
        List<JsonPathRow> found = JsonPathRow.all(json);
        assertThat(found).allSatisfy(row -> {
            assertThat(row.tpot).isGreaterThan(row.plainTpot + 0.5);
            assertThat(row.tokens).isLessThan(row.plainTokens);
        });
        JsonPathRow measured =
                found.stream().filter(row -> row.tp == 4).findFirst().orElseThrow();
        assertThat(measured.learntOfLayout).isEqualTo(3);
        assertThat(measured.tpot - measured.plainTpot).isCloseTo(3, within(1.5));
    }

    /// A row of an answer.
    private record JsonPathRow(
            int tp, double tpot, double plainTpot, double tokens, double plainTokens, int learntOfLayout) {
        static List<JsonPathRow> all(JsonPath json) {
            int rows = json.getList(DEVICE + "phases[0].rows").size();
            return IntStream.range(0, rows)
                    .mapToObj(index -> {
                        String row = DEVICE + "phases[0].rows[" + index + "].";
                        return new JsonPathRow(
                                json.getInt(row + "parallel.tp"),
                                json.getDouble(row + "tpot_ms"),
                                json.getDouble(row + "plain.tpot_ms"),
                                json.getDouble(row + "tokens_per_s"),
                                json.getDouble(row + "plain.tokens_per_s"),
                                json.getInt(row + "learnt_from.tpot_figures_of_layout"));
                    })
                    .toList();
        }
    }

    /// Of the model alone: its row at the same concurrency, to the bit.
    @Test
    void plainFiguresAreThoseOfTheSameRequestWithoutFeedback() {
        String one = ", \"search\": {\"tp_sizes\": [8], \"batch_range\": [32, 32]}";
        JsonPath without = optimize(llama(one)).extract().jsonPath();
        JsonPath with = optimize(llama(one + slowServer())).extract().jsonPath();

        for (String figure : List.of("tpot_ms", "ttft_ms", "tokens_per_s")) {
            assertThat(with.getDouble(ROW + "plain." + figure)).isEqualTo(without.getDouble(ROW + figure));
            assertThat(with.getDouble(ROW + "plain." + figure + "_band.high"))
                    .isEqualTo(without.getDouble(ROW + figure + "_band.high"));
            assertThat(with.getDouble(ROW + figure)).isNotEqualTo(without.getDouble(ROW + figure));
        }
        for (String ofModel : List.of("decode_ms", "prefill_ms", "memory.weight_gb")) {
            assertThat(with.getDouble(ROW + ofModel)).isEqualTo(without.getDouble(ROW + ofModel));
        }
        double factor = with.getDouble(ROW + "ttft_ms") / without.getDouble(ROW + "ttft_ms");
        for (String first : List.of("ttft_burst_ms", "ttft_settled_ms")) {
            assertThat(with.getDouble(ROW + first) / without.getDouble(ROW + first))
                    .isCloseTo(factor, within(1e-12));
        }
        assertThat(with.getString(ROW + "tpot_ms_band.basis")).isEqualTo("feedback");
    }

    @Test
    void aFigureThatFitsNothingIsLeftOutWithAWarning() {
        optimize(llama(rows(row(4, 16, "\"tpot_ms\": 23.0, \"ttft_ms\": 100000"))))
                .body(DEVICE + "feedback.figures", equalTo(1))
                .body(DEVICE + "feedback.rejected", hasSize(1))
                .body(DEVICE + "feedback.rejected[0].row", equalTo(0))
                .body(DEVICE + "feedback.rejected[0].metric", equalTo("ttft_ms"))
                .body(DEVICE + "feedback.rejected[0].ratio", greaterThan(4.5))
                .body(
                        DEVICE + "feedback.warnings",
                        hasItems(startsWith("one row alone"), containsString("which fits nothing")));
    }

    /// With no figure left the answer is the plain one.
    @Test
    void whereNothingFitsTheAnswerIsThatOfTheModel() {
        JsonPath without = optimize(llama("")).extract().jsonPath();
        JsonPath with = optimize(llama(rows(row(4, 16, "\"tpot_ms\": 9000"))))
                .body(DEVICE + "feedback.figures", equalTo(0))
                .body(DEVICE + "feedback.warnings", hasItem(startsWith("no figure of the rows is left")))
                .extract()
                .jsonPath();

        assertThat(with.getList(DEVICE + "phases[0].rows")).isEqualTo(without.getList(DEVICE + "phases[0].rows"));
    }

    @Test
    void aServerUnlikeTheModelIsSaidSoWithTheStrangestRows() {
        optimize(llama(rows(
                        row(4, 4, "\"tpot_ms\": 60"),
                        row(4, 16, "\"tpot_ms\": 9"),
                        row(4, 64, "\"tpot_ms\": 140"),
                        row(8, 16, "\"tpot_ms\": 50"))))
                .body(DEVICE + "feedback.scale", greaterThan(2.0))
                .body(DEVICE + "feedback.warnings", hasItem(startsWith("the server does not behave like the model")));
    }

    @Test
    void textAndCsvShowThePlainFiguresBesideTheCorrectedOnes() {
        String id = optimize(llama(slowServer())).extract().path("id");

        assertThat(report(id, "text/plain"))
                .contains(
                        "Feedback: 3 TPOT and 3 TTFT of 3 rows: each step takes", "Plain TPOT (ms)", "Plain TTFT (ms)");
        assertThat(records(report(id, "text/csv"))).allSatisfy(line -> {
            assertThat(Double.parseDouble(line.getField("tpot_ms")))
                    .isGreaterThan(Double.parseDouble(line.getField("plain_tpot_ms")));
            assertThat(line.getField("plain_ttft_ms")).isNotEmpty();
            assertThat(line.getField("plain_tokens_per_s")).isNotEmpty();
        });
        String without = optimize(llama("")).extract().path("id");
        assertThat(report(without, "text/csv")).doesNotContain("plain_");
        assertThat(report(without, "text/plain")).doesNotContain("Plain", "Feedback");
    }

    @Test
    void devicesAreComparedByCorrectedFigures() {
        String two = llama(slowServer().replace("\"rows\"", "\"device\": \"H200_SXM\", \"rows\""))
                .replace("[\"H200_SXM\"]", "[\"H200_SXM\", \"H100_SXM\"]");
        String id = optimize(two)
                .body("result.devices[0].feedback.rows", equalTo(3))
                .body("result.devices[1].feedback", nullValue())
                .body("result.devices[1].phases[0].rows[0].plain", nullValue())
                .body("result.cross_hardware[0].rows.find { it.device == 'H200_SXM' }.plain.tpot_ms", notNullValue())
                .extract()
                .path("id");
        assertThat(report(id, "text/plain")).contains("Plain TPOT (ms)");
    }

    @Test
    void instancesOfADemandAreCountedByCorrectedFigures() {
        String demand = ", \"mode\": \"capacity\", \"demand\": {\"requests_per_s\": 20}, \"instance_sizes\": [4, 8]";
        String request = llama(demand + "%s").replace("\"num_devices\": 8", "\"num_devices\": 256");
        JsonPath without = optimize(request.formatted("")).extract().jsonPath();
        ValidatableResponse corrected = optimize(request.formatted(slowServer()))
                .body("result.capacity.omitted[0].deployment", equalTo("disaggregated"))
                .body("result.capacity.omitted[0].reason", containsString("feedback"))
                .body("result.capacity.best.instances[0].load.plain.tpot_ms", notNullValue())
                .body("result.capacity.best.tpot_ms", lessThanOrEqualTo(50.0))
                .body("result.devices[0].feedback.rows", equalTo(3));
        assertThat(corrected.extract().jsonPath().getInt("result.capacity.best.num_devices"))
                .isGreaterThanOrEqualTo(without.getInt("result.capacity.best.num_devices"));
        String id = corrected.extract().path("id");
        assertThat(report(id, "text/plain")).contains("Feedback: 3 TPOT and 3 TTFT of 3 rows");
    }

    @Test
    void anExplanationIsOfCorrectedFiguresAndAsksAboutNoOtherServer() {
        ValidatableResponse answer = optimize(
                        llama(", \"explain\": true, \"search\": {\"tp_sizes\": [4, 8], \"batch_range\": [1, 96]}"
                                + slowServer()))
                .body(
                        "result.explanation.answers[0].not_asked.lever",
                        hasItems(
                                "cache_quantization",
                                "linear_quantization",
                                "max_batched_tokens",
                                "prefix_cache_hit_rate"))
                .body(
                        "result.explanation.answers[0].sensitivities.change.lever",
                        allOf(hasItem("memory_bandwidth"), not(hasItem("linear_quantization"))));
        JsonPath json = answer.extract().jsonPath();
        assertThat(json.getDouble("result.explanation.answers[0].best.tokens_per_s"))
                .isEqualTo(json.getDouble(ROW + "tokens_per_s"));
    }

    /// A set of curves and the commands that start a row do not mind.
    @Test
    void curvesAndCommandsGoOn() {
        String id = optimize(llama(slowServer())).extract().path("id");
        api().accept("text/plain")
                .get(OPTIMIZATIONS + "/" + id + "/curves")
                .then()
                .statusCode(200);
        api().accept("text/plain")
                .get(OPTIMIZATIONS + "/" + id + "/launch?engine=vllm")
                .then()
                .statusCode(200);
    }

    @Test
    void theEffectiveRequestHasTheRowsWithAllTheyLeaveOut() {
        optimize(llama(rows(row(4, 16, "\"tpot_ms\": 23"))))
                .body("request.feedback.rows[0].parallel.dp", equalTo(1))
                .body("request.feedback.rows[0].random_range_ratio", equalTo(0.8))
                .body("request.feedback.rows[0].waves", equalTo(10.0))
                .body("request.engine.version", equalTo("0.11.0"));
    }

    @Test
    void anIdempotencyKeyIsOfTheRowsToo() {
        String key = "feedback-" + System.nanoTime();
        String first = llama(rows(row(4, 16, "\"tpot_ms\": 23")));
        String id = json(first)
                .header("Idempotency-Key", key)
                .post(OPTIMIZATIONS)
                .then()
                .extract()
                .path("id");
        json(first).header("Idempotency-Key", key).post(OPTIMIZATIONS).then().body("id", equalTo(id));
        json(llama(rows(row(4, 16, "\"tpot_ms\": 24"))))
                .header("Idempotency-Key", key)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(422);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "version": "0.11.0"                       | "version": " "                                                        | /engine/version
            , "version": "0.11.0"                     | ``                                                                    | /engine/version
            "slo": {"tpot_ms": 50}                    | "slo": {"tpot_ms": 50, "percentile": 90}                              | /slo/percentile
            "slo": {"tpot_ms": 50}                    | "percentiles": true                                                   | /percentiles
            "random_range_ratio": 0.8                       | "random_range_ratio": 0.8, "request_rate": 2                                | /traffic/request_rate
            "output_length": 1024}, "traffic"         | "output_length": 1024, "prefix_cache_hit_rate": 0.2}, "traffic"       | /workload/prefix_cache_hit_rate
            "slo": {"tpot_ms": 50}                    | "mode": "pd_ratio", "pd_ratio": {"prefill_devices_per_instance": 4, "decode_devices_per_instance": 4} | /feedback
            "slo": {"tpot_ms": 50}                    | "speculation": {"num_draft_tokens": 3, "acceptance": {"length": 2.6}}                         | /feedback
            "slo": {"tpot_ms": 50}                    | "speculation": {"num_draft_tokens": [0, 1], "acceptance": {"rates": [0.8]}}                     | /feedback
            "tpot_ms": 23                             | "tpot_ms": 23, "speculation": {"num_draft_tokens": 3, "acceptance": {"length": 2.6}}          | /feedback/rows/0/speculation
            ["H200_SXM"]                              | ["H200_SXM", "H100_SXM"]                                              | /feedback/device
            "rows"                                    | "device": "B200_SXM", "rows"                                          | /feedback/device
            "rows"                                    | "measurements": ["nobody's"], "rows"                                  | /feedback/measurements/0
            "rows"                                    | "raws"                                                                | /feedback/raws
            "concurrency": 16                         | "concurrency": 0                                                      | /feedback/rows/0/concurrency
            "concurrency": 16                         | "concurrency": 15.5                                                   | /feedback/rows/0/concurrency
            "parallel": {"tp": 4}                     | "parallel": {"tp": 4, "dp": 3}                                        | /feedback/rows/0/concurrency
            "parallel": {"tp": 4}                     | "parallel": {"tp": 3}                                                 | /feedback/rows/0/parallel
            "parallel": {"tp": 4}                     | "parallel": {"tp": 4, "ep": 4}                                        | /feedback/rows/0/parallel
            "parallel": {"tp": 4}                     | "parallel": {"tp": 1000000, "dp": 16}                                 | /feedback/rows/0/parallel
            "parallel": {"tp": 4}                     | "parallel": {"dp": 4}                                                 | /feedback/rows/0/parallel/tp
            "tpot_ms": 23                             | "tpot_ms": 0                                                          | /feedback/rows/0/tpot_ms
            "tpot_ms": 23                             | "ttft_ms": -1                                                         | /feedback/rows/0/ttft_ms
            , "tpot_ms": 23                           | ``                                                                    | /feedback/rows/0
            "tpot_ms": 23                             | "tpot_ms": 23, "waves": 0.5                                           | /feedback/rows/0/waves
            "tpot_ms": 23                             | "tpot_ms": 23, "random_range_ratio": 1.5                                    | /feedback/rows/0/random_range_ratio
            """)
    void whatDoesNotGoTogetherIsRefusedAtItsMember(String given, String instead, String pointer) {
        String request = llama(rows(row(4, 16, "\"tpot_ms\": 23")));
        assertThat(request).contains(given);
        json(request.replace(given, instead))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", hasItem(pointer));
    }

    @Test
    void noRowsAndMoreThanFiftyAreRefused() {
        json(llama(rows())).post(OPTIMIZATIONS).then().statusCode(400).body("errors[0].pointer", equalTo("/feedback"));
        String row = row(4, 16, "\"tpot_ms\": 23");
        json(llama(rows(Collections.nCopies(51, row).toArray(String[]::new))))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/feedback/rows"));
        optimize(llama(", \"search\": {\"batch_range\": [16, 16]}"
                        + rows(Collections.nCopies(50, row).toArray(String[]::new))))
                .body(DEVICE + "feedback.rows", equalTo(50));
    }

    @Test
    void analyticPassesAndAscendDevicesTakeNone() {
        json("""
                {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "workload": {"input_length": 100, "output_length": 100}%s}""".formatted(rows(row(1, 16, "\"tpot_ms\": 23"))))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", hasItem("/feedback"));
        json("""
                {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["ATLAS_800_A2_376T_64G"], "num_devices": 4,
                 "workload": {"input_length": 3500, "output_length": 1500}, "engine": {"backend": "vllm-ascend", "version": "1"},
                 "quantization": {"scheme": "W8A8"}%s}""".formatted(rows(row(4, 16, "\"tpot_ms\": 23"))))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", hasItem("/engine/backend"));
    }

    /// The worked figures of one server stay near what was measured of it.
    @Test
    void aRowThatWasMeasuredIsPredictedNearlyAsMeasured() {
        optimize(llama(", \"search\": {\"tp_sizes\": [8], \"batch_range\": [32, 32]}"
                        + rows(row(8, 32, "\"tpot_ms\": 20.0, \"ttft_ms\": 700"))))
                .body(ROW + "tpot_ms", closeTo(20.0, 2.5))
                .body(ROW + "learnt_from.tpot_figures", equalTo(1))
                .body(ROW + "learnt_from.ttft_figures_of_layout", equalTo(1));
    }
}
