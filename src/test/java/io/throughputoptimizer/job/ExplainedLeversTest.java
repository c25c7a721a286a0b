package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ExplainedSearches.changed;
import static io.throughputoptimizer.job.ExplainedSearches.explained;
import static io.throughputoptimizer.job.ExplainedSearches.result;
import static io.throughputoptimizer.job.ExplainedSearches.tokens;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.fixture.Nightly;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Which changes an explanation offers: those that a planner can make.
class ExplainedLeversTest {
    private static final String NUMBER_FORMATS = "linear_quantization";

    static LongStream seeds() {
        return Nightly.seeds(1);
    }

    @Test
    void aTypeWithoutARateOnTheDeviceIsNoLeverThere() {
        assertThat(settings(onDevice("ATLAS_800_A2_376T_64G"), NUMBER_FORMATS))
                .contains("W4A8_DYNAMIC")
                .doesNotContain("MXFP4", "FP8");
        assertThat(settings(onDevice("ATLAS_800_A2_376T_64G"), "cache_quantization"))
                .contains("INT8")
                .doesNotContain("FP8");
        assertThat(settings(onDevice("H100_SXM"), NUMBER_FORMATS))
                .contains("FP8")
                .doesNotContain("MXFP4");
        assertThat(settings(onDevice("H100_SXM"), "cache_quantization")).contains("FP8");
        assertThat(settings(onDevice("TEST_DEVICE"), NUMBER_FORMATS)).contains("MXFP4", "FP8");
    }

    @ParameterizedTest
    @CsvSource({"Qwen/Qwen3-32B, false", "Qwen/Qwen3-30B-A3B, true"})
    void schemesOfExpertsAreForModelsThatHaveSome(String model, boolean experts) {
        ObjectNode request = measured(
                model, "B200_SXM", 8, "vllm", "FP8", "{\"input_length\": 2000, \"output_length\": 500}", 2000, 30);

        List<String> schemes = settings(request, NUMBER_FORMATS);

        assertThat(schemes).contains("BF16", "NVFP4");
        assertThat(schemes.contains("INT4_EXPERTS")).isEqualTo(experts);
        assertThat(schemes.contains("MXFP4_EXPERTS")).isEqualTo(experts);
        assertThat(schemes.contains("NVFP4_EXPERTS")).isEqualTo(experts);
    }

    @Test
    void anotherSchemeBringsTheCacheThatItUsuallyHas() {
        assertThatSchemesAreWhatRequestsWithThemAreAnswered(withAnUnaskedCache());
    }

    /// Other schemes than its own usually have another cache.
    private static ObjectNode withAnUnaskedCache() {
        return measured(
                "Qwen/Qwen3-30B-A3B",
                "H200_SXM",
                16,
                "trtllm",
                "FP8_BLOCK",
                "{\"input_length\": 8000, \"output_length\": 512}",
                1178.2,
                26.9);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyOtherSchemeIsWhatARequestWithItIsAnswered(long seed) {
        Random random = new Random(seed);
        ObjectNode request = measured(
                List.of("Qwen/Qwen3-32B", "Qwen/Qwen3-30B-A3B", "openai/gpt-oss-120b")
                        .get(random.nextInt(3)),
                List.of("H100_SXM", "H200_SXM", "B200_SXM").get(random.nextInt(3)),
                8,
                List.of("vllm", "sglang", "trtllm").get(random.nextInt(3)),
                List.of("BF16", "FP8", "FP8_BLOCK").get(random.nextInt(3)),
                "{\"input_length\": %d, \"output_length\": %d}"
                        .formatted(500 + random.nextInt(6000), 100 + random.nextInt(900)),
                1500 + random.nextInt(2000),
                20 + random.nextInt(20));
        if (random.nextInt(4) == 0) {
            request.withObject("/engine").put("kv_cache_dtype", random.nextBoolean() ? "fp8" : "bf16");
        }

        assertThatSchemesAreWhatRequestsWithThemAreAnswered(request);
    }

    private static void assertThatSchemesAreWhatRequestsWithThemAreAnswered(ObjectNode request) {
        int compared = 0;
        JsonNode answer = explained(request).getFirst();
        assertThat(answer.has("best")).as("%s", request).isTrue();
        for (JsonNode one : answer.required("sensitivities")) {
            JsonNode change = one.required("change");
            if (!change.required("lever").asString().equals(NUMBER_FORMATS)) {
                continue;
            }
            JsonNode direct = result(changed(request, change)).at("/devices/0/phases/0/best");
            assertThat(one.path("plan").isMissingNode()).isEqualTo(direct.isMissingNode());
            if (!direct.isMissingNode()) {
                assertThat(tokens(one.required("plan"))).as("%s", change).isEqualTo(tokens(direct));
            }
            compared++;
        }
        assertThat(compared).isPositive();
    }

    /// A job that waited is searched by what is stored: the effective request, where the default of the cache is filled
    /// in, and the body as it was asked.
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aStoredJobKnowsWhetherTheCacheWasAskedFor(boolean named) {
        ObjectNode request = withAnUnaskedCache();
        if (named) {
            request.withObject("/engine").put("kv_cache_dtype", "fp8");
        }
        String asked = request.put("explain", true).toString();
        String effective = WireFormat.write(new ProblemReader(ExplainedSearches.CATALOGS, Long.MAX_VALUE)
                .accept(WireFormat.read(asked, OptimizationRequest.class))
                .effective());

        JsonNode stored = JsonMapper.shared()
                .readTree(ExplainedSearches.SEARCH
                        .apply(new JobRequest(effective, null, asked, null, null, false), SearchMonitor.SILENT)
                        .json());

        assertThat(stored.at("/explanation/answers/0/sensitivities"))
                .isEqualTo(explained(request).getFirst().required("sensitivities"));
    }

    /// From eight requests on a larger budget breaks the limit. The search itself takes four of those that deliver the
    /// same, which it serves better within it.
    @ParameterizedTest
    @CsvSource({"'', max_batched_tokens", "', \"batch_range\": [8, 1000]', ttft"})
    void aLargerTokenBudgetThatBreaksALimitBindsNothing(String batches, String binds) {
        ObjectNode request = read("""
                {"model_id": "Qwen/Qwen3-32B", "num_devices": 8, "devices": ["TEST_DEVICE"], "mode": "disaggregation",
                 "workload": {"input_length": 557, "output_length": 234}, "slo": {"ttft_ms": 177.2},
                 "serving": {"compile": true}, "quantization": {"linear": "W4A8_DYNAMIC"}, "accounting": "steady",
                 "search": {"tp_sizes": [8]%s}}""".formatted(batches));

        JsonNode binding = explained(request).getFirst().at("/bottlenecks/0");

        assertThat(binding.required("limited_by").asString())
                .as("%s", binding.required("detail"))
                .isEqualTo(binds);
        assertThatTokenBudgetsAreWorthIt(request);
    }

    @ParameterizedTest
    @MethodSource("io.throughputoptimizer.job.ExplainedSearches#seeds")
    void aTokenBudgetThatBindsIsWorthAHalfPercentWithinTheLimits(long seed) {
        ObjectNode request = ExplainedSearches.request(new Random(seed), false);
        request.withObject("/search").putArray("batch_range").add(1).add(1000);
        assertThatTokenBudgetsAreWorthIt(request);
    }

    private static void assertThatTokenBudgetsAreWorthIt(ObjectNode request) {
        for (JsonNode answer : explained(request)) {
            for (JsonNode binding : answer.required("bottlenecks")) {
                if (!binding.required("limited_by").asString().equals("max_batched_tokens")) {
                    continue;
                }
                int next = binding.required("batch_size").asInt() + 1;
                JsonNode today = rowOf(request, binding);
                ObjectNode larger = request.deepCopy();
                larger.withObject("/search").putArray("batch_range").add(next).add(next);
                String budget = binding.required("detail").asString().replaceFirst(".*token budget of (\\d+) .*", "$1");
                larger.withObject("/search").put("max_batched_tokens", Integer.parseInt(budget));
                JsonNode then = rowOf(larger, binding);
                assertThat(then.isMissingNode()).as("%s", binding).isFalse();
                assertThat(tokens(then)).isGreaterThan(1.005 * tokens(today));
            }
        }
    }

    private static JsonNode rowOf(ObjectNode request, JsonNode binding) {
        for (JsonNode phase : result(request).at("/devices/0/phases")) {
            for (JsonNode row : phase.required("rows")) {
                if (phase.required("phase").equals(binding.required("phase"))
                        && row.at("/parallel/label").equals(binding.required("label"))) {
                    return row;
                }
            }
        }
        return JsonMapper.shared().missingNode();
    }

    @ParameterizedTest
    @CsvSource({
        "Qwen/Qwen3-235B-A22B, H200_SXM, 16, 8, 32",
        "Qwen/Qwen3-235B-A22B, H200_SXM, 18, 16, 32",
        "Qwen/Qwen3-32B, TEST_DEVICE, 8, 4, 16"
    })
    void deviceCountsAreThoseThatBuyersMean(String model, String device, int now, int fewer, int more) {
        ObjectNode request = onDevice(device).put("model_id", model).put("num_devices", now);
        request.withObject("/slo").put("ttft_ms", 3000);

        List<Integer> counts = new ArrayList<>();
        JsonNode answer = explained(request).getFirst();
        for (JsonNode one : answer.required("sensitivities")) {
            JsonNode change = one.required("change");
            if (!change.required("lever").asString().equals("device_count")) {
                continue;
            }
            int count = change.required("to").asInt();
            counts.add(count);
            int working = count - change.path("idle").asInt(0);
            JsonNode direct =
                    result(request.deepCopy().put("num_devices", working)).at("/devices/0/phases/0/best");
            assertThat(tokens(one.required("plan"))).isEqualTo(tokens(direct));
            if (count > now) {
                assertThat(one.required("effect_percent").asDouble()).isGreaterThanOrEqualTo(0);
            }
            assertThat(one.required("effect_percent").asDouble())
                    .isCloseTo(100 * (tokens(direct) / tokens(answer.required("best")) - 1), within(1e-3));
        }
        assertThat(counts).contains(fewer, more);
    }

    private static List<String> settings(ObjectNode request, String lever) {
        List<String> settings = new ArrayList<>();
        for (JsonNode one : explained(request).getFirst().required("sensitivities")) {
            if (one.at("/change/lever").asString().equals(lever)) {
                settings.add(one.at("/change/to").asString());
            }
        }
        return settings;
    }

    private static ObjectNode onDevice(String device) {
        return read("""
                {"model_id": "Qwen/Qwen3-32B", "devices": ["%s"], "num_devices": 4,
                 "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
                 "serving": {"compile": true}, "search": {"batch_range": [1, 256]}}""".formatted(device));
    }

    private static ObjectNode measured(
            String model,
            String device,
            int devices,
            String backend,
            String scheme,
            String workload,
            double ttft,
            double tpot) {
        return read("""
                {"cost_model": "calibrated", "model_id": "%s", "devices": ["%s"], "num_devices": %d,
                 "engine": {"backend": "%s"}, "quantization": {"scheme": "%s"}, "workload": %s,
                 "slo": {"ttft_ms": %s, "tpot_ms": %s}}""".formatted(model, device, devices, backend, scheme, workload, ttft, tpot));
    }

    private static ObjectNode read(String json) {
        return (ObjectNode) JsonMapper.shared().readTree(json);
    }
}
