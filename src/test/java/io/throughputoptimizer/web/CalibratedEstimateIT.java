package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.fixture.RequestEditor;
import io.throughputoptimizer.fixture.Silicon;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class CalibratedEstimateIT extends HttpTest {
    private static final String ESTIMATES = "/api/v1/estimates";

    private static final String PASS = """
            {"model_id": "Qwen/Qwen3-32B", "device": "H100_SXM", "cost_model": "calibrated",
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"}, "parallel": {"tp": 2},
             "pass": {"phase": "decode", "concurrency": 64, "query_len": 1, "seq_len": 4250}}""";

    private static final String EXPERTS = """
            {"model_id": "deepseek-ai/DeepSeek-R1", "device": "B200_SXM", "cost_model": "calibrated",
             "engine": {"backend": "trtllm"}, "quantization": {"scheme": "NVFP4_EXPERTS"},
             "parallel": {"tp": 1, "dp": 8, "ep": 8},
             "pass": {"phase": "decode", "concurrency": 64, "query_len": 1, "seq_len": 1000}}""";

    private static final String ASCEND = """
            {"model_id": "Qwen/Qwen3-32B", "device": "ATLAS_800_A2_376T_64G", "cost_model": "calibrated",
             "engine": {"backend": "vllm-ascend"}, "quantization": {"scheme": "W8A8"}, "parallel": {"tp": 4},
             "pass": {"phase": "decode", "concurrency": 78, "query_len": 1, "seq_len": 4250}}""";

    /// Passes with whole requests; each model and device once or more.
    static Stream<JsonNode> vectors() {
        return Silicon.cases("vectors-passes.json").stream()
                .filter(vector -> vector.at("/input/batch").isIntegralNumber())
                .filter(vector -> vector.has("operators")
                        || !vector.at("/expected/uncalibrated").isEmpty()
                        || vector.at("/input/attention_dp").intValue() > 1);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void aPassCostsWhatItsVectorSays(JsonNode vector) {
        JsonNode expected = vector.required("expected");

        JsonPath estimate = estimate(request(vector.required("input")));

        assertThat(estimate.getDouble("latency_ms")).isCloseTo(number(expected, "milliseconds"), exactly());
        assertThat(estimate.<Map<String, String>>getList("calibration.bases"))
                .extracting(basis -> basis.get("class") + "/" + basis.get("dtype") + ": " + basis.get("basis"))
                .isEqualTo(expected.required("uncalibrated")
                        .valueStream()
                        .map(JsonNode::stringValue)
                        .toList());
        expected.required("split")
                .forEachEntry((kind, millis) -> assertThat(estimate.getDouble("breakdown." + kind))
                        .as(kind)
                        .isCloseTo(100 * millis.doubleValue() / number(expected, "milliseconds"), exactly()));
    }

    private static String request(JsonNode input) {
        boolean decodes = input.required("phase").stringValue().equals("decode");
        int dp = input.required("attention_dp").intValue();
        int context = input.required("context").intValue();
        return """
                {"model_id": "%s", "device": "%s", "cost_model": "calibrated",
                 "engine": {"backend": %s, "kv_cache_dtype": %s}, "quantization": {"scheme": %s},
                 "parallel": {"tp": %d, "dp": %d, "ep": %d},
                 "pass": {"phase": %s, "concurrency": %d, "query_len": %d, "seq_len": %d}}""".formatted(
                input.required("config").stringValue().replace("--", "/").replaceFirst("\\.json$", ""),
                Silicon.deviceOf(input.required("device").stringValue()),
                input.required("backend"),
                input.required("kv_cache"),
                input.required("scheme"),
                input.required("tp").intValue(),
                dp,
                input.required("moe_ep").intValue(),
                input.required("phase"),
                input.required("batch").intValue() * dp,
                decodes ? 1 : context,
                context);
    }

    @Test
    void operatorsAddUpToTheLatencyAndItsShares() {
        JsonPath estimate = estimate(PASS);

        double total = estimate.getList("operators.total_us", Double.class).stream()
                .mapToDouble(Double::doubleValue)
                .sum();
        assertThat(total / 1000).isCloseTo(estimate.getDouble("latency_ms"), within(1e-9));
        assertThat(estimate.<Double>getList("breakdown.collect { it.value }").stream()
                        .mapToDouble(Double::doubleValue)
                        .sum())
                .isCloseTo(100, within(1e-9));
        assertThat(estimate.getList("operators.name", String.class)).contains("qkv", "attention", "gate_up");
        assertThat(estimate.getList("operators.basis", String.class)).isSubsetOf("own", "pooled");
    }

    @Test
    void aStepGapIsAddedOnce() {
        double latency = estimate(PASS).getDouble("latency_ms");

        JsonPath slow = estimate(with("/engine/step_gap_ms", "0.7"));
        assertThat(slow.getDouble("latency_ms")).isCloseTo(latency + 0.7, within(1e-9));
        assertThat(slow.getDouble("engine.step_gap_ms")).isEqualTo(0.7);
    }

    @Test
    void anAscendDeviceHasARangeAndIsSaidToBeUncalibrated() {
        JsonPath estimate = estimate(ASCEND);

        assertThat(estimate.getDouble("latency_ms_range.low")).isCloseTo(31.6, within(0.05));
        assertThat(estimate.getDouble("latency_ms_range.high"))
                .isCloseTo(36.4, within(0.05))
                .isEqualTo(estimate.getDouble("latency_ms"));
        assertThat(estimate.getString("latency_ms_range.basis")).contains("graph capture unknown");
        assertThat(estimate.getMap("latency_ms_band")).isNull();
        assertThat(estimate.getList("flags", String.class)).contains("uncalibrated");
    }

    @Test
    void kernelsWithoutAMeasurementLeaveNoBand() {
        JsonPath estimate = estimate(with(
                "/device", "\"A100_SXM\"",
                "/model_id", "\"openai/gpt-oss-120b\"",
                "/quantization/scheme", "\"MXFP4_EXPERTS\"",
                "/engine/kv_cache_dtype", "\"bf16\""));

        assertThat(estimate.getMap("latency_ms_band")).isNull();
        assertThat(estimate.getMap("latency_ms_range")).isNull();
        assertThat(estimate.getList("flags", String.class)).contains("uncalibrated");
        assertThat(estimate.getList("calibration.bases.basis", String.class)).contains("none");
    }

    @Test
    void memoryAddsUpAndMayBeTooSmall() {
        JsonPath fits = estimate(PASS);
        JsonPath full = estimate(with("/engine/kv_tokens", "1000"));

        assertThat(fits.getDouble("memory.kv_cache_gb"))
                .isCloseTo(64 * 4250 * fits.getDouble("memory.kv_cache_per_token_gb"), within(1e-9));
        assertThat(fits.getDouble("memory.kv_cache_gb") + fits.getDouble("memory.available_gb"))
                .isCloseTo(
                        fits.getDouble("memory.kv_tokens") * fits.getDouble("memory.kv_cache_per_token_gb"),
                        within(1e-9));
        assertThat(full.getDouble("memory.kv_tokens")).isEqualTo(1000);
        assertThat(full.getDouble("memory.available_gb")).isNegative();
        assertThat(full.getList("flags")).containsExactly("capacity");
        assertThat(full.getDouble("latency_ms")).isEqualTo(fits.getDouble("latency_ms"));
    }

    @Test
    void aListOfEqualRequestsCostsAsMuchAsTheSameConcurrency() {
        String list = "{\"phase\": \"decode\", \"requests\": [{\"count\": 64, \"query_len\": 1, \"seq_len\": 4250}]}";

        assertThat(estimate(with("/pass", list)).getMap(""))
                .isEqualTo(estimate(PASS).getMap(""));
    }

    @Test
    void sizesLeftOutFollowFromTheOthers() {
        JsonPath devices = estimate(with("/parallel", "null", "/num_devices", "2"));
        JsonPath experts = estimate(RequestEditor.with(EXPERTS, "/parallel", "{\"tp\": 1, \"dp\": 8}"));

        assertThat(devices.getMap("")).isEqualTo(estimate(PASS).getMap(""));
        assertThat(experts.getMap("")).isEqualTo(estimate(EXPERTS).getMap(""));
        assertThat(experts.getString("parallel.label")).isEqualTo("TP=1 | PP=1 | DP=8 | EP=8 | MOE-TP=1 | MOE-DP=1");
    }

    @Test
    void aDeviceOfOnesOwnMayBringItsCalibration() {
        String document = api().get("/api/v1/devices/H100_SXM").asString();
        String own = RequestEditor.with(RequestEditor.with(document, "/name", "\"MINE\""), "/effective", "null");

        JsonPath estimate = estimate(with("/device", "null", "/device_profile", own));
        assertThat(estimate.getList("operators")).isEqualTo(estimate(PASS).getList("operators"));
        assertThat(estimate(with("/device", "null", "/device_profile", RequestEditor.with(own, "/calibration", "null")))
                        .getString("unpriced"))
                .startsWith("device_profile/calibration is required");
    }

    static Stream<Arguments> wrongMembers() {
        return Stream.of(
                wrong("/engine/backend", "\"vlm\"", "/engine/backend", "nearest to it: vllm"),
                wrong("/engine/bogus", "1", "/engine/bogus", "is not a known field"),
                wrong("/engine/step_gap_ms", "-1", "/engine/step_gap_ms", "must be 0 or greater"),
                wrong("/engine/frontend_ms", "-1", "/engine/frontend_ms", "must be 0 or greater"),
                wrong("/engine/max_batched_tokens", "0", "/engine/max_batched_tokens", "at least 1"),
                wrong("/engine/max_num_seqs", "0", "/engine/max_num_seqs", "at least 1"),
                wrong("/engine/poll_interval", "0", "/engine/poll_interval", "at least 1"),
                wrong("/engine/policy", "\"fifo\"", "/engine/policy", "mixed"),
                wrong("/engine/kv_cache_dtype", "\"int4\"", "/engine/kv_cache_dtype", "bf16"),
                wrong("/engine/kv_tokens", "0", "/engine/kv_tokens", "must be greater than 0"),
                wrong("/quantization/scheme", "\"FP4\"", "/quantization/scheme", "NVFP4"),
                wrong("/engine/memory_share", "0", "/engine/memory_share", "must be greater than 0"),
                wrong("/engine/memory_share", "1.5", "/engine/memory_share", "at most 1"),
                wrong("/engine/kv_pool_gib", "0", "/engine/kv_pool_gib", "must be greater than 0"),
                wrong("/engine/max_model_len", "0", "/engine/max_model_len", "at least 1"),
                wrong("/engine/mxfp4_kernel", "\"cutlass\"", "/engine/mxfp4_kernel", "marlin"),
                wrong("/engine/cuda_graphs", "\"yes\"", "/engine/cuda_graphs", "true or false"),
                wrong("/parallel/tp", "4096", "/parallel", "holds 1024 devices"),
                wrong("/num_devices", "4", "/num_devices", "must be tp * dp (2), got 4"),
                wrong("/band_coverage", "0.7", "/band_coverage", "0.5 or 0.9"),
                wrong("/pass/query_len", "2", "/pass/query_len", "must be 1 in a decode step"),
                wrong(
                        "/pass",
                        "{\"phase\": \"decode\", \"requests\": [{\"count\": 1, \"query_len\": 3, \"seq_len\": 9}]}",
                        "/pass/requests/0/query_len",
                        "must be 1 in a decode step"));
    }

    private static Arguments wrong(String member, String value, String pointer, String words) {
        return Arguments.of(member, value, pointer, words);
    }

    @ParameterizedTest
    @MethodSource("wrongMembers")
    void aWrongMemberIsNamedWithWhatWouldDo(String member, String value, String pointer, String words) {
        List<Map<String, String>> errors =
                refused(with(member, value)).extract().jsonPath().getList("errors");

        assertThat(errors)
                .anySatisfy(error -> {
                    assertThat(error.get("pointer")).isEqualTo(pointer);
                    assertThat(error.get("detail")).contains(words);
                })
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "/quantization/scheme, '\"NVFP4\"', does not multiply in FP4",
        "/device, '\"TEST_DEVICE\"', must be a calibrated device"
    })
    void memoryIsAnsweredWhereKernelsAreNotMeasured(String member, String value, String words) {
        JsonPath answer = estimate(with(member, value));

        assertThat(answer.getString("unpriced")).contains(words);
        assertThat(answer.getMap("")).doesNotContainKey("latency_ms");
        assertThat(answer.getDouble("memory.kv_pool_gib")).isNotZero();
    }

    @Test
    void settingsThatDecideTheCacheExcludeEachOther() {
        refused(with("/engine/memory_share", "0.9", "/engine/kv_tokens", "1000"))
                .body("errors.pointer", contains("/engine/memory_share"))
                .body("errors[0].detail", containsString("must not be combined with engine.kv_tokens"));
    }

    @Test
    void unknownVersionsAreTakenAsTheNearestAndSaySo() {
        assertThat(estimate(with("/engine/version", "\"9.1\"")).getList("memory.memory_assumptions"))
                .containsExactly("version 9.1 is newer than 0.29, the newest known: its rules apply");
        assertThat(estimate(with("/engine/version", "\"nightly\"")).getList("memory.memory_assumptions"))
                .containsExactly("version \"nightly\" is unknown: rules of 0.29 apply");
    }

    @ParameterizedTest
    @CsvSource({
        "/parallel/ep, 3, /parallel/ep, must divide tp * dp (8)",
        "/pass/concurrency, 60, /pass/concurrency, must be a multiple of the 8 data parallel ranks",
    })
    void sizesOfExpertsAndRanksMustDivide(String member, String value, String pointer, String words) {
        refused(RequestEditor.with(EXPERTS, member, value))
                .body("errors.pointer", contains(pointer))
                .body("errors[0].detail", containsString(words));
    }

    @Test
    void sizesWhoseProductIsHugeAreRefused() {
        refused(with("/parallel", "{\"tp\": 1000000, \"dp\": 1000000}", "/pass/concurrency", "1000000"))
                .body("errors.pointer", contains("/parallel"))
                .body("errors[0].detail", containsString("is 1000000000000: the grid of H100_SXM holds"));
    }

    private static String with(String... membersAndValues) {
        String changed = PASS;
        for (int index = 0; index < membersAndValues.length; index += 2) {
            changed = RequestEditor.with(changed, membersAndValues[index], membersAndValues[index + 1]);
        }
        return changed;
    }

    private JsonPath estimate(String body) {
        return json(body).post(ESTIMATES).then().statusCode(200).extract().jsonPath();
    }

    private ValidatableResponse refused(String body) {
        return json(body).post(ESTIMATES).then().statusCode(400).contentType("application/problem+json");
    }

    private static double number(JsonNode parent, String name) {
        return parent.required(name).doubleValue();
    }

    private static Percentage exactly() {
        return withinPercentage(100 * Silicon.RELATIVE);
    }
}
