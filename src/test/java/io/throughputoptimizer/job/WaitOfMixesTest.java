package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ExplainedSearches.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Of requests of many lengths, most of whose time goes to prompts, rows say how much less clients may wait that ask
/// again at once, as simulated ones do.
class WaitOfMixesTest {
    private static final Pattern WAITS =
            Pattern.compile("TTFT includes (\\d+) ms .* in a closed loop it is (\\d+) ms; .*");

    private static final String MIX = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 4,
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"}, "traffic": {"waves": 100},
             "search": {"tp_sizes": [4], "batch_range": [40, 40]},
             "workload": {
               "length_distribution": {"bins": [
                 {"min_tokens": 500, "max_tokens": 1500, "weight": 3}, {"min_tokens": 1500, "max_tokens": 4000, "weight": 4},
                 {"min_tokens": 4000, "max_tokens": 7000, "weight": 2}, {"min_tokens": 7000, "max_tokens": 9000, "weight": 1}]},
               "output_distribution": {"bins": [
                 {"min_tokens": 20, "max_tokens": 120, "weight": 3}, {"min_tokens": 120, "max_tokens": 300, "weight": 4},
                 {"min_tokens": 300, "max_tokens": 500, "weight": 2}, {"min_tokens": 500, "max_tokens": 900, "weight": 1}]}}}
            """;

    private static ObjectNode mix() {
        return JsonMapper.shared().readValue(MIX, ObjectNode.class);
    }

    private static JsonNode row(ObjectNode request) {
        return result(request).at("/devices/0/phases/0/rows/0");
    }

    @Test
    void rowsSayHowMuchLessSimulatedClientsWait() {
        JsonNode row = row(mix());
        Matcher waits = WAITS.matcher(row.at("/warnings/0").asString());
        assertThat(waits.matches()).as(row.path("warnings").toString()).isTrue();
        double shorter = Double.parseDouble(waits.group(1)) - Double.parseDouble(waits.group(2));
        JsonNode simulated = row(mix().put("percentiles", true));
        assertThat(simulated.has("warnings")).isFalse();
        assertThat(row.required("ttft_ms").asDouble() - 0.99 * shorter)
                .isCloseTo(simulated.at("/simulation/ttft_ms/mean").asDouble(), withinPercentage(10));
    }

    @Test
    void nothingIsSaidOfOneLengthOrWherePromptsTakeLittleTime() {
        ObjectNode one = mix();
        one.putObject("workload").put("input_length", 3000).put("output_length", 250);
        assertThat(row(one).path("warnings").toString()).doesNotContain("TTFT has");
        ObjectNode few = mix();
        few.withObject("/search").putArray("batch_range").add(4).add(4);
        assertThat(row(few).path("warnings").toString()).doesNotContain("TTFT has");
    }
}
