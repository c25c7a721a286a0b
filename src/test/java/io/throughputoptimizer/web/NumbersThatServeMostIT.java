package io.throughputoptimizer.web;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.restassured.path.json.JsonPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Pairs name the numbers of instances that serve most on the devices there, whatever their own numbers leave idle.
class NumbersThatServeMostIT extends HttpTest {
    private static final String MEASURED = """
            {"cost_model": "calibrated", "mode": "pd_ratio", "model_id": "Qwen/Qwen3-32B",
             "devices": ["H100_SXM"], "num_devices": 16,
             "workload": {"input_length": 2048, "output_length": 512}, "slo": {"ttft_ms": 2000, "tpot_ms": 30},
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"}, "search": {"tp_sizes": []},
             "pd_ratio": {"prefill_devices_per_instance": %s, "decode_devices_per_instance": %s}}""";

    /// The best pairs per device serve the demand for which mode `capacity` counts the same devices. The TTFT of
    /// 80 prompts, four to a pass, promises 5% more than instances sustain; a search takes the smallest batch of
    /// equal rate, one pass.
    @ParameterizedTest
    @CsvSource({"'[80, 80]', 1.049869", "'[1, 4096]', 1"})
    void pairsByWhatInstancesHaveTimeForAreThoseThatCapacityCounts(String batches, double promised) {
        String service = """
                "cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "devices": ["H200_SXM"], "accounting": "steady",
                "workload": {"input_length": 1000, "output_length": 500}, "slo": {"ttft_ms": 2000, "tpot_ms": 30},
                "serving": {"compile": true}, "search": {"batch_range": %s}""".formatted(batches);
        Map<String, Object> best = rows("""
                {"mode": "pd_ratio", "num_devices": 16, %s,
                 "pd_ratio": {"prefill_devices_per_instance": [2, 4], "decode_devices_per_instance": [2, 4]}}""".formatted(service)).getFirst();
        double requestsPerS = number(best, "requests_per_s");
        List<Map<String, Object>> deployments = optimize("""
                {"mode": "capacity", "num_devices": 32, %s, "instance_sizes": [2, 4],
                 "demand": {"requests_per_s": %s}}""".formatted(service, requestsPerS))
                .extract()
                .jsonPath()
                .getList("result.capacity.rows.findAll { it.deployment == 'disaggregated' }");

        assertThat(requestsPerS)
                .isEqualTo(Math.min(
                        number(best, "prefill_instances") * number(best, "prefill_sustained_requests_per_s"),
                        number(best, "decode_instances") * number(best, "decode_sustained_requests_per_s")));
        assertThat(number(best, "prefill_requests_per_s") / number(best, "prefill_sustained_requests_per_s"))
                .isCloseTo(promised, within(1e-5));
        assertThat(deployments.stream()
                        .mapToDouble(row -> number(row, "num_devices"))
                        .min())
                .hasValue(number(best, "devices_used"));
    }

    /// Lists rank by what a device delivers. Each pair of sizes by itself lists all numbers that
    /// leave no room for one more instance. Others serve little more if any: with fewer instances
    /// of decode prompts wait less, so that a limit on TTFT lets a few more requests in.
    @ParameterizedTest
    @CsvSource({"[1; 2; 4], [2; 4; 8]", "[2; 4], [1; 2]"})
    void pairsOnMeasuredDevicesNameThem(String prefillSizes, String decodeSizes) {
        List<Map<String, Object>> rows =
                rows(MEASURED.formatted(prefillSizes.replace(';', ','), decodeSizes.replace(';', ',')));
        List<Map<String, Object>> fuller = new ArrayList<>();

        assertThat(rows).isNotEmpty().allSatisfy(row -> {
            double idle = number(row, "devices_idle");
            assertThat(idle).isEqualTo(16 - number(row, "devices_used"));
            double best = rows(MEASURED.formatted(row.get("num_devices_p"), row.get("num_devices_d"))).stream()
                    .filter(one -> requireNonNull(one.get("parallel_p")).equals(row.get("parallel_p"))
                            && requireNonNull(one.get("parallel_d")).equals(row.get("parallel_d")))
                    .mapToDouble(one -> number(one, "requests_per_s"))
                    .max()
                    .orElseThrow();
            Map<?, ?> most = (Map<?, ?>) row.get("most");
            assertThat(number(most == null ? row : most, "requests_per_s")).isBetween(best, best * 1.02);
            if (most != null) {
                assertThat(best).isGreaterThan(number(row, "requests_per_s"));
                assertThat(most.get("requests_per_s_band")).isNotNull();
                fuller.add(row);
            }
        });
        assertThat(fuller).isNotEmpty();
    }

    private List<Map<String, Object>> rows(String question) {
        JsonPath result = optimize(question).extract().jsonPath();
        return result.getList("result.devices[0].pd_ratio.rows");
    }

    private static double number(Map<?, ?> row, String member) {
        return ((Number) Objects.requireNonNull(row.get(member), member)).doubleValue();
    }
}
