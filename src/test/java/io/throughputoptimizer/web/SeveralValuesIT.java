package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import io.throughputoptimizer.fixture.RequestEditor;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Searches that try several values of what is usually one.
class SeveralValuesIT extends HttpTest {
    private static final String QUESTION = """
            {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "num_devices": 2,
             "workload": {"input_length": 2000, "output_length": 100}, "slo": {"tpot_ms": 50},
             "quantization": {"linear": ["W8A8_DYNAMIC", "W4A8_DYNAMIC"], "attention": "DISABLED"},
             "search": {"tp_sizes": [1], "max_batched_tokens": [1000, 8192], "batch_range": [1, 8]},
             "serving": {"compile": true, "num_mtp_tokens": [0]}}""";

    private static final String DRAFTS = """
            {"model_id": "deepseek-ai/DeepSeek-V3.1", "devices": ["TEST_DEVICE"], "num_devices": 32, "mode": "pd_ratio",
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"tpot_ms": 100},
             "pd_ratio": {"prefill_devices_per_instance": 16, "decode_devices_per_instance": 16},
             "search": {"tp_sizes": [16], "ep_sizes": [16], "batch_range": [1, 8]},
             "serving": {"compile": true, "num_mtp_tokens": [2, 0]}}""";

    /// In decode the token budget does not matter, so that it is tried once.
    @Test
    void aPairHasTheSameDraftTokensOnBothSides() {
        JsonPath result = optimize(
                        DRAFTS.replace("\"batch_range\"", "\"max_batched_tokens\": [8192, 4096], \"batch_range\""))
                .extract()
                .jsonPath();

        assertThat(result.getList("result.devices[0].phases[0].rows.parallel.variant"))
                .hasSize(4);
        assertThat(result.getList("result.devices[0].phases[1].rows.parallel.variant.num_mtp_tokens"))
                .containsExactlyInAnyOrder(2, 0);
        assertThat(result.getList("result.devices[0].pd_ratio.rows.parallel_p.variant.num_mtp_tokens"))
                .isNotEmpty()
                .isEqualTo(result.getList("result.devices[0].pd_ratio.rows.parallel_d.variant.num_mtp_tokens"));
        assertThat(result.getList("result.devices[0].phases[1].points.parallel.label", String.class))
                .contains("TP=16 | PP=1 | DP=1 | EP=16 | MOE-TP=1 | MOE-DP=1 | MTP=2")
                .contains("TP=16 | PP=1 | DP=1 | EP=16 | MOE-TP=1 | MOE-DP=1");
        assertThat(records(answer(DRAFTS, "text/csv")))
                .extracting(row -> row.getField("num_mtp_tokens"))
                .containsExactlyElementsOf(
                        answeredDrafts(optimize(DRAFTS).extract().jsonPath()));
    }

    private static List<String> answeredDrafts(JsonPath result) {
        List<Integer> drafts = result.getList("result.devices[0].pd_ratio.rows.parallel_p.variant.num_mtp_tokens");
        return drafts.stream().map(String::valueOf).toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /search/max_batched_tokens   | [8192, 0]              | /search/max_batched_tokens/1
            /search/max_batched_tokens   | [0]                    | /search/max_batched_tokens
            /search/max_batched_tokens   | []                     | /search/max_batched_tokens
            /search/max_batched_tokens   | [8192, null]           | /search/max_batched_tokens/1
            /search/max_batched_tokens   | [8192, 1.5]            | /search/max_batched_tokens/1
            /search/max_batched_tokens   | 1.5                    | /search/max_batched_tokens
            /serving/num_mtp_tokens      | [0, 10]                | /serving/num_mtp_tokens/1
            /serving/num_mtp_tokens      | [0, 1, 2]              | /serving/num_mtp_tokens/1
            /serving/num_mtp_tokens      | {}                     | /serving/num_mtp_tokens
            /quantization/linear         | ["FP8", "FP9"]         | /quantization/linear/1
            /quantization/linear         | "FP9"                  | /quantization/linear
            /quantization/attention      | []                     | /quantization/attention
            /quantization/non_expert_linear | ["FP8", "FP9"]      | /quantization/non_expert_linear/1
            /quantization/non_expert_linear | []                  | /quantization/non_expert_linear
            /quantization/non_expert_linear | "DISABLED"          | /quantization/non_expert_linear
            """)
    void aValueThatCannotBeTriedIsRefusedAtItsPlace(String pointer, String value, String at) {
        json(RequestEditor.with(QUESTION, pointer, value))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors[0].pointer", equalTo(at));
    }

    @Test
    void whatSomeLinearLayersCannotHaveIsRejectedForThemAlone() {
        String latent = RequestEditor.with(
                RequestEditor.with(DRAFTS, "/quantization/linear", "[\"DISABLED\", \"W8A8_DYNAMIC\"]"),
                "/quantization/attention",
                "[\"DISABLED\", \"INT8\"]");

        assertThat(
                        optimize(latent)
                                .extract()
                                .jsonPath()
                                .getList(
                                        "result.devices[0].phases[1].rejected.findAll { it.reason == 'model' }.parallel.variant"))
                .containsExactlyInAnyOrder(
                        Map.of("num_mtp_tokens", 0, "linear", "DISABLED", "attention", "INT8"),
                        Map.of("num_mtp_tokens", 2, "linear", "DISABLED", "attention", "INT8"));
        json(RequestEditor.with(latent, "/quantization/linear", "\"DISABLED\""))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains("/quantization/attention/1"));
    }

    @Test
    void aProductOfTooManyValuesIsRefusedBeforeAnyIsTried() {
        String budgets =
                IntStream.rangeClosed(1, 1000).mapToObj(Integer::toString).collect(Collectors.joining(", ", "[", "]"));

        json(RequestEditor.with(
                                RequestEditor.with(QUESTION, "/search/max_batched_tokens", budgets),
                                "/search/batch_range",
                                "[1, 1000000]")
                        .replace("\"batch_range\"", "\"strategy\": \"exhaustive\", \"batch_range\""))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors[0].detail", containsString("may have to try "));
    }

    /// A row that did not name it would be read as quantized alike throughout, so one value is named too.
    @Test
    void whatAllButTheExpertsHaveIsNamedEvenIfItIsOneValue() {
        String question = DRAFTS.replace("[2, 0]", "0")
                .replace(
                        "\"workload\"",
                        "\"quantization\": {\"linear\": \"MXFP4\", \"non_expert_linear\": \"FP8\"}, \"workload\"");
        String layout = "TP=16 | PP=1 | DP=1 | EP=16 | MOE-TP=1 | MOE-DP=1 | NON-EXPERT=FP8";

        optimize(question)
                .body("request.quantization.non_expert_linear", equalTo("FP8"))
                .body("result.devices[0].phases[1].rows.parallel.label", contains(layout))
                .body(
                        "result.devices[0].phases[1].rows[0].parallel.variant",
                        equalTo(Map.of("non_expert_linear", "FP8")));
        assertThatNonExpertsAre("FP8", answer(question, "text/csv"));
        String aggregated = question.replace("\"pd_ratio\",", "\"aggregation\",")
                .replaceFirst("\"pd_ratio\": \\{[^}]*},", "")
                .replace("\"num_devices\": 32", "\"num_devices\": 16");
        assertThat(answer(aggregated, "text/plain"))
                .contains("Quantize Linear action: MXFP4")
                .contains("Quantize Non-expert Linear action: FP8")
                .contains(layout);
        assertThatNonExpertsAre("FP8", answer(aggregated, "text/csv"));
    }

    private static void assertThatNonExpertsAre(String quantization, String csv) {
        assertThat(records(csv))
                .isNotEmpty()
                .extracting(row -> row.getField("quantize_non_expert_linear_action"))
                .containsOnly(quantization);
    }

    @Test
    void sharedExpertsAreSplitBesideExpertParallelismOnly() {
        String question = DRAFTS.replace("[2, 0]", "0, \"shared_expert_tp\": true")
                .replace("\"ep_sizes\": [16]", "\"ep_sizes\": [16, 1]");

        optimize(question)
                .body("request.serving.shared_expert_tp", equalTo(true))
                .body("result.devices[0].phases[1].rows.parallel.ep", contains(16))
                .body("result.devices[0].phases[1].rejected.parallel.ep", contains(1))
                .body("result.devices[0].phases[1].rejected[0].detail", containsString("requires ep above 1"));
        assertThat(answer(question, "text/plain")).contains("Shared experts: split over TP");
        assertThat(answer(question, "text/csv").lines().findFirst().orElseThrow())
                .endsWith(",shared_expert_tp");
        optimize(question.replace("tp\": true", "tp\": false")).body("request.serving.shared_expert_tp", nullValue());
        json(question.replace("deepseek-ai/DeepSeek-V3.1", "Qwen/Qwen3-30B-A3B"))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains("/serving/shared_expert_tp"))
                .body(
                        "errors[0].detail",
                        containsString("must be false: model Qwen/Qwen3-30B-A3B has no shared experts"));
        String estimate = """
                {"model_id": "deepseek-ai/DeepSeek-V3.1", "device": "TEST_DEVICE", "num_devices": 16, "compile": true, "shared_expert_tp": true,
                 "parallel": {"tp": 4, "ep": 16},
                 "pass": {"phase": "decode", "concurrency": 16, "query_len": 1, "seq_len": 1000}}""";
        json(estimate).post("/api/v1/estimates").then().statusCode(200).body("memory.exact", equalTo(false));
        json(estimate.replace("\"ep\": 16", "\"ep\": 1"))
                .post("/api/v1/estimates")
                .then()
                .statusCode(400)
                .body("errors.pointer", contains("/shared_expert_tp"));
    }

    @Test
    void productsAndTheirSumsOverRanksAreOneOperatorWhereTheGraphIsCompiled() {
        String question = DRAFTS.replace("[2, 0]", "0, \"matmul_allreduce\": true");

        optimize(question).body("request.serving.matmul_allreduce", equalTo(true));
        assertThat(answer(question, "text/plain")).contains("Product and all-reduce: one operator");
        assertThat(answer(question, "text/csv").lines().findFirst().orElseThrow())
                .endsWith(",matmul_allreduce");
        optimize(question.replace("allreduce\": true", "allreduce\": false"))
                .body("request.serving.matmul_allreduce", nullValue());
        json(question.replace("\"compile\": true", "\"compile\": false"))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains("/serving/matmul_allreduce"));
    }

    @Test
    void aPassWithFusedSumsIsPricedAsTheReferenceDoes() {
        String estimate = """
                {"model_id": "Qwen/Qwen3-8B", "device": "ATLAS_800_A3_752T_128G_DIE", "num_devices": 4, "compile": true,
                 "matmul_allreduce": true,
                 "pass": {"phase": "prefill", "concurrency": 2, "query_len": 1000, "seq_len": 1000}}""";

        JsonPath priced = json(estimate)
                .post("/api/v1/estimates")
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();
        assertThat(priced.getDouble("latency_ms")).isCloseTo(32.83131311792397, within(1e-4));
        json(estimate.replace("\"compile\": true", "\"compile\": false"))
                .post("/api/v1/estimates")
                .then()
                .statusCode(400)
                .body("errors.pointer", contains("/matmul_allreduce"));
    }
}
