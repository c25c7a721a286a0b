package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.fixture.RequestEditor;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Requests that break one rule each: the answer names the member at fault.
class BadRequestIT extends HttpTest {
    private static final String ESTIMATES = "/api/v1/estimates";

    static Stream<Arguments> wrongValues() {
        return Stream.of(
                // Types
                member("/num_devices", "\"8\""),
                member("/num_devices", "8.5"),
                member("/num_devices", "true"),
                member("/num_devices", "[8]"),
                member("/num_devices", "{}"),
                member("/num_devices", "99999999999999999999"),
                member("/model_id", "17"),
                member("/devices", "\"TEST_DEVICE\""),
                member("/mode", "\"everything\""),
                member("/mode", "0"),
                member("/mode", "\"DISAGGREGATION\""),
                member("/mode", "\"\""),
                member("/workload", "[]"),
                member("/workload", "\"\""),
                member("/slo", "3"),
                member("/slo/ttft_ms", "\"fast\""),
                member("/slo/ttft_ms", "\"NaN\""),
                member("/slo/ttft_ms", "true"),
                member("/serving/compile", "1"),
                member("/serving/compile", "\"true\""),
                member("/search/tp_sizes", "4"),
                member("/quantization/linear", "\"W2A2\""),
                member("/model_config", "[]"),
                // Unknown members
                member("/bogus", "1"),
                member("/workload/bogus", "null"),
                member("/slo/TTFT_MS", "1"),
                // Missing members
                member("/model_id", "null"),
                member("/workload", "null", "/workload", "/workload/output_length"),
                member("/workload/output_length", "null"),
                member("/workload/input_length", "null", "/workload"),
                member("/slo", "null", "/slo"),
                member("/slo/ttft_ms", "null", "/slo"),
                member("/devices/0", "null"),
                // Ranges
                member("/num_devices", "0"),
                member("/num_devices", "-1"),
                member("/num_devices", "2147483647"),
                member("/workload/input_length", "0"),
                member("/workload/input_length", "1000001"),
                member("/workload/output_length", "-5"),
                member("/workload/output_length", "1000001"),
                member("/workload/prefix_cache_hit_rate", "1"),
                member("/workload/prefix_cache_hit_rate", "-0.1"),
                member("/workload/prefix_cache_hit_rate", "\"NaN\""),
                member("/slo/ttft_ms", "0"),
                member("/slo/ttft_ms", "-1"),
                member("/slo/tpot_ms", "-1e-9"),
                member("/quantization/mxfp4_group_size", "0"),
                member("/search/max_batched_tokens", "0"),
                member("/search/max_batched_tokens", "1000001"),
                member("/search/tp_sizes/0", "0"),
                member("/search/ep_sizes/0", "-2"),
                member("/search/moe_dp_sizes/0", "null"),
                member("/search/batch_range", "[]"),
                member("/search/batch_range", "[1, 2, 3]"),
                member("/search/batch_range", "[9, 8]"),
                member("/search/batch_range/0", "0"),
                member("/search/batch_range/0", "1000001"),
                member("/serving/reserved_memory_gb", "-1"),
                member("/serving/reserved_memory_gb", "1e999"),
                member("/serving/reserved_memory_gb", "\"Infinity\""),
                member("/serving/serving_cost_ms", "-0.5"),
                member("/serving/num_mtp_tokens", "10"),
                member("/serving/num_mtp_tokens", "-1"),
                member("/serving/mtp_acceptance_rate/0", "1.1"),
                member("/serving/mtp_acceptance_rate/0", "-0.1"),
                member("/serving/mtp_acceptance_rate/0", "null"),
                member("/devices", "[]"),
                member("/devices/0", "\" \""),
                member("/model_id", "\"Qwen3 32B\""),
                member("/model_id", "\"" + "a".repeat(257) + "\""),
                // Members that do not fit together
                member("/search/tp_sizes/0", "3"),
                member("/workload/length_distribution", "{\"name\": \"builtin\"}", "/workload"),
                member("/workload/output_distribution", "{\"name\": \"builtin\"}", "/workload"),
                member("/workload/image", "{\"height\": 10}", "/workload/image/width"),
                member("/workload/image", "{\"width\": 10}", "/workload/image/height"),
                member("/workload/image", "{\"batch_size\": 1}", "/workload/image/height", "/workload/image/width"),
                member("/serving/num_mtp_tokens", "1"),
                member(
                        "/serving",
                        "{\"num_mtp_tokens\": 3, \"mtp_acceptance_rate\": [0.5]}",
                        "/serving/num_mtp_tokens"),
                member("/pd_ratio", "{\"prefill_devices_per_instance\": 1, \"decode_devices_per_instance\": 1}"),
                member("/pd_ratio", "{}"),
                // The catalogue
                member("/model_id", "\"Qwen/Qwen3-31B\""),
                member("/devices/0", "\"TEST_DEVIC\""),
                member("/num_devices", "4096"),
                member("/model_config", "{\"model_type\": \"mamba\"}", "/model_config/model_type"),
                member("/model_config", "{\"model_type\": \"qwen3\"}", "/model_config/*"),
                member("/device_profiles", "[{\"name\": \"X\"}]", "/device_profiles/0/*"),
                member("/device_profiles", "[null]", "/device_profiles/0"));
    }

    private static Arguments member(String pointer, String value, String... faults) {
        return Arguments.of(pointer, value, faults.length == 0 ? List.of(pointer) : List.of(faults));
    }

    @ParameterizedTest(name = "{0} = {1}")
    @MethodSource("wrongValues")
    void aWrongValueIsRefusedAtItsPlace(String pointer, String value, List<String> faults) {
        String request = RequestEditor.with(PREFILL, pointer, value);

        List<String> pointers = refused(json(request).post(OPTIMIZATIONS).then());

        if (faults.getFirst().endsWith("*")) {
            String prefix = faults.getFirst().replace("*", "");
            assertThat(pointers).isNotEmpty().allMatch(found -> found.startsWith(prefix), prefix);
        } else {
            assertThat(pointers).containsExactlyElementsOf(faults);
        }
    }

    private static final Map<String, String> MODES =
            Map.of("capacity", """
            {"mode": "capacity", "model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "num_devices": 8, "slo": {"tpot_ms": 50},
             "workload": {"input_length": 1000, "output_length": 100}, "demand": {"requests_per_s": 2}}""", "pairs", """
            {"mode": "pd_ratio", "cost_model": "analytic", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM", "B200_SXM"], "num_devices": 16,
             "workload": {"input_length": 4096, "output_length": 500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
             "search": {"tp_sizes": [2, 4, 8]}, "serving": {"compile": true},
             "pd_ratio": {"prefill_devices_per_instance": [2, 4], "decode_devices_per_instance": [4, 8],
                          "prefill_devices": "H100_SXM", "decode_devices": ["B200_SXM", "H100_SXM"],
                          "kv_transfer": {"gb_per_s": 25, "latency_ms": 5}}}""", "calibrated", """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 4,
             "workload": {"input_length": 1024, "output_length": 256}, "engine": {"backend": "vllm"},
             "quantization": {"scheme": "FP8"}, "slo": {"tpot_ms": 30, "ttft_ms": 2000}}""", "analytic", """
            {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "num_devices": 4, "slo": {"tpot_ms": 50}, "serving": {"compile": true},
             "workload": {"input_length": 1000, "output_length": 100}}""");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            capacity   | /demand                | {}                             | /demand
            capacity   | /demand                | {"requests_per_s": 0}          | /demand/requests_per_s
            capacity   | /demand                | {"tokens_per_s": -1}           | /demand/tokens_per_s
            capacity   | /demand                | {"concurrency": 0}             | /demand/concurrency
            capacity   | /headroom              | -0.1                           | /headroom
            capacity   | /instance_sizes        | []                             | /instance_sizes
            capacity   | /instance_sizes        | [0]                            | /instance_sizes/0
            capacity   | /kv_transfer           | {}                             | /kv_transfer/gb_per_s
            capacity   | /kv_transfer           | {"gb_per_s": 0}                | /kv_transfer/gb_per_s
            capacity   | /kv_transfer           | {"gb_per_s": 1, "gbps": 1}     | /kv_transfer/gbps
            pairs      | /pd_ratio/kv_transfer/latency_ms | -1                   | /pd_ratio/kv_transfer/latency_ms
            pairs      | /pd_ratio/decode_devices | ["H100_SXM", "L40S"]         | /pd_ratio/decode_devices/1
            pairs      | /pd_ratio/decode_devices | "H100_SXM"                   | /devices/1
            pairs      | /pd_ratio/prefill_devices_per_instance | [2, 16]        | /pd_ratio/prefill_devices_per_instance/1
            pairs      | /pd_ratio/prefill_devices_per_instance | [2, 3]         | /pd_ratio/prefill_devices_per_instance/1
            pairs      | /pd_ratio/prefill_devices_per_instance | []             | /pd_ratio/prefill_devices_per_instance
            pairs      | /pd_ratio/prefill_devices_per_instance | 0              | /pd_ratio/prefill_devices_per_instance
            pairs      | /search/tp_sizes       | [2, 64]                        | /search/tp_sizes/1
            calibrated | /slo/percentile        | 99.5                           | /slo/percentile
            calibrated | /slo/percentile        | 49                             | /slo/percentile
            calibrated | /percentiles           | "yes"                          | /percentiles
            calibrated | /workload              | {"requests": {"input_tokens": [9], "output_tokens": [5]}} | /workload/requests
            calibrated | /engine/memory_share   | "NaN"                          | /engine/memory_share
            analytic   | /explain               | "yes"                          | /explain
            analytic   | /objective             | {}                             | /objective/name
            analytic   | /objective             | "goodput"                      | /objective
            analytic   | /objective             | {"name": "tokens_per_s_per_user", "min_concurrency": 0} | /objective/min_concurrency
            analytic   | /objective             | {"name": "cost_per_million_tokens", "price_per_device_hour": {"TEST_DEVICE": -1}} | /objective/price_per_device_hour/TEST_DEVICE
            analytic   | /search                | {"tp_sizes": [4], "dcp_sizes": [3]} | /search/dcp_sizes
            analytic   | /workload              | {"input_length": 9, "output_distribution": {"name": "chatt"}} | /workload/output_distribution/name
            analytic   | /workload              | {"input_length": 9, "image": {"height": 9, "width": 9}, "output_distribution": {"bins": [{"min_tokens": 1, "max_tokens": 9, "weight": 1}]}} | /workload/image
            """)
    void aWrongMemberOfAModeIsRefusedAtItsPlace(String mode, String member, String value, String pointer) {
        String request = RequestEditor.with(Objects.requireNonNull(MODES.get(mode)), member, value);

        assertThat(refused(json(request).post(OPTIMIZATIONS).then())).contains(pointer);
    }

    /// Without the number of images a request has no size of its cache.
    @Test
    void aTransferOfImagesNeedsTheirNumber() {
        json("""
                {"model_id": "Qwen/Qwen3-VL-8B-Instruct", "mode": "capacity", "accounting": "documented", "devices": ["TEST_DEVICE"], "num_devices": 8,
                 "workload": {"input_length": 500, "output_length": 100, "image": {"height": 512, "width": 512}},
                 "demand": {"concurrency": 1}, "kv_transfer": {"gb_per_s": 0.5}}""")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains("/kv_transfer"))
                .body("errors[0].detail", containsString("workload.image.batch_size"));
    }

    static Stream<Arguments> wrongDistributions() {
        return Stream.of(
                Arguments.of("{}", "/workload/length_distribution"),
                Arguments.of("{\"name\": \"builtin\", \"bins\": []}", "/workload/length_distribution/bins"),
                Arguments.of("{\"name\": \"built-in\"}", "/workload/length_distribution/name"),
                Arguments.of("{\"bins\": []}", "/workload/length_distribution/bins"),
                Arguments.of("{\"bins\": {}}", "/workload/length_distribution/bins"),
                Arguments.of("{\"bins\": [null]}", "/workload/length_distribution/bins/0"),
                bins("/0/weight", "[0, 5, null]"),
                bins("/0/weight", "[0, 5, 0]"),
                bins("/0/weight", "[0, 5, -1]"),
                bins("/0/weight", "[0, 5, \"NaN\"]"),
                bins("/0/weight", "[0, 5, 1e999]"),
                bins("/0/min_tokens", "[-1, 5, 1]"),
                bins("/0/min_tokens", "[0.5, 5, 1]"),
                bins("/0/max_tokens", "[5, 5, 1]"),
                bins("/0/max_tokens", "[6, 5, 1]"),
                bins("/1/max_tokens", "[0, 5, 1]", "[5, 1000001, 1]"),
                bins("/1/min_tokens", "[0, 5, 1]", "[4, 9, 1]"),
                bins("/0/min_tokens", "[4, 9, 1]", "[0, 5, 1]"),
                bins("/2/max_tokens", "[0, 5, 1]", "[5, 9, 1]", "[20, 10, 1]"));
    }

    /// @param bins `[min, max, weight]` each
    private static Arguments bins(String fault, String... bins) {
        String list = Stream.of(bins)
                .map(bin -> bin.replaceFirst(
                        "\\[(.*), (.*), (.*)]", "{\"min_tokens\": $1, \"max_tokens\": $2, \"weight\": $3}"))
                .collect(Collectors.joining(","));
        return Arguments.of("{\"bins\": [" + list + "]}", "/workload/length_distribution/bins" + fault);
    }

    @ParameterizedTest
    @MethodSource("wrongDistributions")
    void aWrongDistributionIsRefusedAtItsPlace(String distribution, String fault) {
        String request = RequestEditor.with(
                RequestEditor.with(PREFILL, "/workload/input_length", "null"),
                "/workload/length_distribution",
                distribution);

        assertThat(refused(json(request).post(OPTIMIZATIONS).then())).contains(fault);
    }

    @Test
    void aDistributionNeedsADisaggregatedPrefillSearchOfTheReference() {
        String mixed = RequestEditor.with(
                RequestEditor.with(
                        RequestEditor.with(PREFILL, "/workload/input_length", "null"),
                        "/workload/length_distribution",
                        "{\"name\": \"builtin\"}"),
                "/accounting",
                "\"documented\"");

        assertThat(refused(mixed, "/mode", "\"aggregation\"")).contains("/mode");
        assertThat(refused(mixed, "/slo/tpot_ms", "50")).containsExactly("/slo/tpot_ms");
        assertThat(refused(mixed, "/slo", "{\"tpot_ms\": 50}")).containsExactly("/slo/tpot_ms", "/slo/ttft_ms");
        assertThat(refused(mixed, "/workload/image", "{\"height\": 8, \"width\": 8}"))
                .containsExactly("/workload/image");
    }

    @Test
    void aBudgetBelowTheLongestInputNamesTheNeededOne() {
        String mixed = RequestEditor.with(
                RequestEditor.with(PREFILL, "/workload/input_length", "null"),
                "/workload/length_distribution",
                "{\"name\": \"builtin\"}");

        json(RequestEditor.with(
                        RequestEditor.with(mixed, "/search/max_batched_tokens", "139999"),
                        "/allow_beyond_context",
                        "true"))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/search/max_batched_tokens"))
                .body("errors[0].detail", containsString("140000"));
    }

    @Test
    void allBrokenRulesAreReportedAtOnce() {
        String request = RequestEditor.with(
                RequestEditor.with(PREFILL, "/num_devices", "0"), "/workload/prefix_cache_hit_rate", "1");

        assertThat(refused(json(request).post(OPTIMIZATIONS).then()))
                .containsExactly("/num_devices", "/workload/prefix_cache_hit_rate");
    }

    @Test
    void anUnknownNameIsAnsweredWithTheNearestOnes() {
        json(PREFILL.replace("Qwen3-8B", "Qwen-3_8b"))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors[0].detail", containsString("Qwen/Qwen3-8B"));
    }

    static Stream<Arguments> wrongEstimates() {
        return Stream.of(
                member("/pass", "null", "/pass/concurrency", "/pass/phase", "/pass/query_len", "/pass/seq_len"),
                member("/pass/phase", "\"aggregation\""),
                member("/pass/seq_len", "99"),
                member("/pass/concurrency", "0"),
                member("/pass/concurrency", "10000001"),
                member("/pass/requests", "[]", "/pass", "/pass/requests"),
                member("/pass/requests", "[{\"count\": 1, \"query_len\": 5, \"seq_len\": 5}]", "/pass"),
                member(
                        "/pass",
                        "{\"phase\": \"prefill\", \"requests\": [{\"count\": 1, \"query_len\": 5, \"seq_len\": 4}]}",
                        "/pass/requests/0/seq_len"),
                member(
                        "/pass",
                        "{\"phase\": \"prefill\", \"requests\": [{\"count\": 1, \"query_len\": 5}]}",
                        "/pass/requests/0/seq_len"),
                member(
                        "/pass",
                        "{\"phase\": \"prefill\", \"image\": {\"height\": 1, \"width\": 1},"
                                + " \"requests\": [{\"count\": 1, \"query_len\": 5, \"seq_len\": 5}]}",
                        "/pass/image"),
                member("/parallel/tp", "3"),
                member("/parallel/tp", "0"),
                member("/num_devices", "4096"),
                member("/num_mtp_tokens", "1"),
                member("/parallel", "{\"tp\": 3, \"ep\": 3, \"moe_dp\": 64}", "/parallel/tp"),
                member("/reserved_memory_gb", "-1"),
                member("/device", "\"NOTHING\""),
                member("/device_profile", "{\"name\": \"X\"}", "/device_profile/name"),
                member("/model_id", "null"),
                member("/devices", "[]"));
    }

    @ParameterizedTest(name = "{0} = {1}")
    @MethodSource("wrongEstimates")
    void aWrongEstimateIsRefusedAtItsPlace(String pointer, String value, List<String> faults) {
        String request = RequestEditor.with("""
                {"model_id": "Qwen/Qwen3-8B", "device": "TEST_DEVICE", "num_devices": 8,
                 "pass": {"phase": "prefill", "concurrency": 2, "query_len": 100, "seq_len": 100}}""", pointer, value);

        assertThat(refused(json(request).post(ESTIMATES).then())).containsExactlyElementsOf(faults);
    }

    @Test
    void anImpossibleLayoutIsRefused() {
        String request = """
                {"model_id": "Qwen/Qwen3-8B", "device": "TEST_DEVICE", "num_devices": 64,
                 "pass": {"phase": "prefill", "concurrency": 2, "query_len": 100, "seq_len": 100}}""";

        assertThat(refused(json(request).post(ESTIMATES).then())).containsExactly("/parallel/tp");
    }

    static Stream<Arguments> impossibleLayouts() {
        return Stream.of(
                Arguments.of("{\"tp\": 1, \"ep\": 256}", true, "/parallel/ep"),
                Arguments.of("{\"tp\": 8, \"ep\": 1}", true, ""),
                Arguments.of("{\"tp\": 8, \"ep\": 64, \"moe_dp\": 1}", false, "/compile"),
                Arguments.of("{\"tp\": 64}", true, "/parallel/tp"),
                Arguments.of("{\"tp\": 3, \"ep\": 5}", true, "/parallel/ep /parallel/tp"),
                Arguments.of("{\"tp\": 8, \"ep\": 4, \"moe_dp\": 3}", true, "/parallel/moe_dp"));
    }

    @ParameterizedTest
    @MethodSource("impossibleLayouts")
    void anImpossibleLayoutIsRefusedAtTheSizeAtFault(String parallel, boolean compiled, String faults) {
        String request = """
                {"model_id": "Qwen/Qwen3-30B-A3B", "device": "TEST_DEVICE", "num_devices": 256, "parallel": %s, "compile": %s,
                 "pass": {"phase": "prefill", "concurrency": 2, "query_len": 100, "seq_len": 100}}""".formatted(parallel, compiled);
        ValidatableResponse answer = json(request).post(ESTIMATES).then();

        if (faults.isEmpty()) {
            answer.statusCode(200);
        } else {
            assertThat(refused(answer)).containsExactly(faults.split(" "));
        }
    }

    @Test
    void aDecodePassWithFewerTokensThanDraftsIsRefused() {
        String request = """
                {"model_id": "deepseek-ai/DeepSeek-V3", "device": "TEST_DEVICE", "num_devices": 8, "compile": true, "num_mtp_tokens": 3,
                 "pass": {"phase": "decode", "concurrency": 2, "query_len": 3, "seq_len": 100}}""";
        String list = RequestEditor.with(
                request,
                "/pass",
                "{\"phase\": \"decode\", \"requests\": [{\"count\": 1, \"query_len\": 4, \"seq_len\": 9},"
                        + " {\"count\": 1, \"query_len\": 2, \"seq_len\": 9}]}");

        assertThat(refused(json(request).post(ESTIMATES).then())).containsExactly("/pass/query_len");
        assertThat(refused(json(list).post(ESTIMATES).then())).containsExactly("/pass/requests/1/query_len");
        json(RequestEditor.with(request, "/pass/query_len", "4"))
                .post(ESTIMATES)
                .then()
                .statusCode(200);
    }

    @Test
    void expertSizesOfADenseModelAreIgnored() {
        String search = "{\"ep_sizes\": [3, 64], \"moe_dp_sizes\": [5], \"tp_sizes\": [2]}";

        json(RequestEditor.with(PREFILL, "/search", search))
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .body("result.devices[0].phases[0].rows.parallel.label", contains("TP=2 | PP=1 | DP=1"));
        String experts = PREFILL.replace("Qwen3-8B", "Qwen3-30B-A3B");
        assertThat(refused(experts, "/search", search))
                .containsExactly("/search/ep_sizes/0", "/search/ep_sizes/1", "/search/moe_dp_sizes/0");
        assertThat(refused(experts, "/search", "{\"tp_sizes\": [2], \"ep_sizes\": [2], \"moe_dp_sizes\": [2]}"))
                .containsExactly("/search");
    }

    private List<String> refused(String request, String pointer, String value) {
        return refused(json(RequestEditor.with(request, pointer, value))
                .post(OPTIMIZATIONS)
                .then());
    }

    /// Pointers of a refusal, in its order; one member may break several rules.
    private static List<String> refused(ValidatableResponse response) {
        JsonPath problem = response.statusCode(400)
                .contentType("application/problem+json")
                .extract()
                .jsonPath();
        assertThat(problem.getInt("status")).isEqualTo(400);
        assertThat(problem.getString("type")).isEqualTo("/problems/invalid-request");
        assertThat(problem.getString("title")).isNotBlank();
        assertThat(problem.getString("detail")).isNotBlank();
        assertThat(problem.getList("errors.detail", String.class)).doesNotContainNull();
        return problem.getList("errors.pointer", String.class).stream()
                .distinct()
                .toList();
    }
}
