package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.restassured.path.json.JsonPath;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Pairs name the numbers of instances that serve most on the devices there, whatever their own numbers leave idle.
class NumbersThatServeMostIT extends HttpTest {
    private static final String PLAIN = """
            {"model_id": "Qwen/Qwen3-8B", "devices": ["H200_SXM"], "num_devices": %d, "mode": "pd_ratio",
             "workload": {"input_length": 1000, "output_length": 500}, "slo": {"ttft_ms": 2000, "tpot_ms": 30},
             "serving": {"compile": true},
             "pd_ratio": {"prefill_devices_per_instance": 2, "decode_devices_per_instance": 4}}""";

    @ParameterizedTest
    @ValueSource(ints = {16, 48, 96})
    void oneSizeOfEachNamesThemBesideTheReferencesNumbers(int devices) {
        JsonPath result = optimize(PLAIN.formatted(devices)).extract().jsonPath();

        List<Map<String, Object>> rows = result.getList("result.devices[0].pd_ratio.rows");
        assertThat(rows).isNotEmpty().allSatisfy(row -> {
            double most = 0;
            for (int prefill = 1; prefill * 2 + 4 <= devices; prefill++) {
                int decode = (devices - prefill * 2) / 4;
                most = Math.max(most, Math.min(prefill * number(row.get("p_qps")), decode * number(row.get("d_qps"))));
            }
            int idle = devices - 2 * (int) number(row.get("prefill_instances")) - 4 * (int) number(row.get("decode_instances"));
            assertThat(row).containsEntry("devices_idle", idle);
            assertThat(row).hasEntrySatisfying("most", most(devices, most));
        });
    }

    private static org.assertj.core.api.Condition<Object> most(int devices, double qps) {
        return new org.assertj.core.api.Condition<>(
                named -> {
                    Map<?, ?> numbers = (Map<?, ?>) named;
                    assertThat(number(numbers.get("qps"))).isCloseTo(qps, within(qps * 1e-12));
                    assertThat(number(numbers.get("devices_used"))).isLessThanOrEqualTo(devices);
                    return true;
                },
                "serves most");
    }

    private static double number(Object figure) {
        return ((Number) figure).doubleValue();
    }
}
