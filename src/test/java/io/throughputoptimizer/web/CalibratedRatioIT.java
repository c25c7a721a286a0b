package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.restassured.path.json.JsonPath;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.RequestEditor;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Searches with cost model `calibrated` for instances of prefill that feed instances of decode, over HTTP.
class CalibratedRatioIT extends HttpTest {
    private static final String RATIO = "result.devices[0].pd_ratio.";
    private static final String QWEN = """
            {"cost_model": "calibrated", "mode": "pd_ratio", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"],
             "num_devices": 8, "workload": {"input_length": 3500, "output_length": 1500},
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
             "pd_ratio": {"prefill_devices_per_instance": 1, "decode_devices_per_instance": 2},
             "slo": {"ttft_ms": 2000, "tpot_ms": 30}}""";
    private static final String ROOFLINE = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "num_devices": 8,
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50}}""";
    private static final String DEEPSEEK = """
            {"cost_model": "calibrated", "mode": "pd_ratio", "model_id": "deepseek-ai/DeepSeek-R1", "devices": ["H200_SXM"],
             "num_devices": 24, "workload": {"input_length": 1024, "output_length": 1024},
             "engine": {"backend": "sglang"}, "quantization": {"scheme": "FP8_BLOCK"},
             "pd_ratio": {"prefill_devices_per_instance": 8, "decode_devices_per_instance": 16}}""";

    /// What was fitted on instances of models with experts that do both phases holds for no
    /// others; where a search looks at both, nothing is said for all.
    @Test
    @EveryNight
    void theFrontEndOfModelsWithExpertsGoesByWhatInstancesDo() {
        String model =
                "\"cost_model\": \"calibrated\", \"model_id\": \"openai/gpt-oss-120b\", \"devices\": [\"H200_SXM\"],"
                        + " \"num_devices\": 4, \"workload\": {\"input_length\": 1024, \"output_length\": 1024},"
                        + " \"engine\": {\"backend\": \"vllm\"}, \"quantization\": {\"scheme\": \"MXFP4_EXPERTS\"}";
        String both = "{" + model + "}";
        String apart = "{\"mode\": \"pd_ratio\", \"pd_ratio\": {\"prefill_devices_per_instance\": 1,"
                + " \"decode_devices_per_instance\": 1}, " + model + "}";
        String either = "{\"mode\": \"capacity\", \"demand\": {\"requests_per_s\": 0.1}, " + model + "}";

        assertFrontEnd(both, 22.1);
        assertFrontEnd(apart, 35.0);
        assertFrontEnd(either, null);
    }

    private void assertFrontEnd(String request, @Nullable Double millis) {
        JsonPath answer = optimize(request).extract().jsonPath();
        Double requested = answer.get("request.engine.frontend_ms");
        Double used = answer.get("result.devices[0].engine.frontend_ms");
        assertThat(requested).isEqualTo(millis);
        assertThat(used).isEqualTo(millis);
        assertThat(answer.getInt("result.devices[0].calibration.laws")).isEqualTo(2);
    }

    /// All concurrencies of all numbers of all sizes would be too many.
    @EveryNight
    @Test
    void whatIsTooMuchToLookAtCloselyIsSampled() {
        String many = DEEPSEEK.replace("\"num_devices\": 24", "\"num_devices\": 48");
        JsonPath sampled = optimize(many.replace("instance\": 8", "instance\": [8, 16]")
                        .replace("instance\": 16", "instance\": [8, 16]"))
                .body(
                        "result.search.sampled",
                        startsWith("concurrencies in steps of a quarter, the largest within the limits"))
                .body(RATIO + "best.num_devices_p", equalTo(8))
                .body(RATIO + "best.num_devices_d", equalTo(16))
                .extract()
                .jsonPath();
        int feeding = sampled.getInt(RATIO + "best.num_devices_p");
        int fed = sampled.getInt(RATIO + "best.num_devices_d");
        int prefill = sampled.getInt(RATIO + "best.prefill_instances");
        int decode = sampled.getInt(RATIO + "best.decode_instances");

        JsonPath direct = optimize(many.replace("instance\": 8", "instance\": " + feeding)
                        .replace("instance\": 16", "instance\": " + fed)
                        .replace("\"num_devices\": 48", "\"num_devices\": " + (feeding * prefill + fed * decode)))
                .body("result.search.sampled", nullValue())
                .extract()
                .jsonPath();
        List<Double> same = direct.getList(
                RATIO + "rows.findAll { it.prefill_instances == " + prefill + " && it.decode_instances == " + decode
                        + " }.tokens_per_s",
                Double.class);
        assertThat(sampled.getDouble(RATIO + "best.tokens_per_s")).isCloseTo(same.getFirst(), withinPercentage(0.5));
    }

    /// TPOT is the decode step; requests, tokens and times belong to one cycle of a benchmark.
    @Test
    void theFiguresOfARowBelongTogether() {
        JsonPath row = optimize(QWEN.replace("\"tpot_ms\": 30", "\"tpot_ms\": 30, \"ttft_basis\": \"benchmark\""))
                .extract()
                .jsonPath()
                .setRootPath(RATIO + "best");
        double cycle = row.getDouble("ttft_ms") + 1500 * row.getDouble("tpot_ms");
        assertThat(row.getDouble("tpot_ms")).isEqualTo(row.getDouble("decode_ms"));
        assertThat(row.getDouble("requests_per_s")).isCloseTo(1000 * row.getLong("concurrency") / cycle, within(1e-9));
        assertThat(row.getDouble("tokens_per_s")).isCloseTo(1500 * row.getDouble("requests_per_s"), within(1e-6));
        assertThat(row.getDouble("tokens_per_s_per_device"))
                .isCloseTo(row.getDouble("tokens_per_s") / row.getInt("devices_used"), within(1e-9));
        assertThat(row.getDouble("running"))
                .isCloseTo(row.getDouble("concurrency") / row.getInt("decode_instances"), within(1e-9));
    }

    @Test
    @EveryNight
    void instancesLargerThanANodeHaveTheBandOfNodesAndAFlag() {
        optimize(DEEPSEEK)
                .body(RATIO + "rows.num_devices_d", everyItem(equalTo(16)))
                .body(RATIO + "best.tpot_ms_band.basis", equalTo("tpot/disaggregated_nodes"))
                .body(RATIO + "best.flags", hasItem("extrapolated"))
                .body(RATIO + "rows.parallel_p.dp", hasItem(8))
                .body("result.devices[0].calibration.bases.basis", hasItem("inter-node"));
    }

    /// No pair of sizes serves more than the best answer without sizes.
    @Test
    void triesTheSizesThatFitWhereNoneAreGiven() {
        String open = QWEN.replaceAll("\"pd_ratio\": \\{[^}]*},", "");
        JsonPath answer = optimize(open).extract().jsonPath();
        assertThat(answer.getList("request.pd_ratio.prefill_devices_per_instance", Integer.class))
                .isEqualTo(answer.getList("request.pd_ratio.decode_devices_per_instance", Integer.class))
                .containsExactly(1, 2, 4);
        double best = answer.getDouble(RATIO + "best.tokens_per_s_per_device");
        for (int prefill : List.of(1, 2, 4)) {
            for (int decode : List.of(1, 2, 4)) {
                Double one = optimize(RequestEditor.with(open, "/pd_ratio", """
                                {"prefill_devices_per_instance": %d, "decode_devices_per_instance": %d}""".formatted(prefill, decode)))
                        .extract()
                        .path(RATIO + "best.tokens_per_s_per_device");
                assertThat(one == null ? 0 : one).isLessThanOrEqualTo(best);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                            | [1, 2, 4] | [1, 2, 4]
            {"prefill_devices_per_instance": 2}                           | 2         | [1, 2, 4]
            {"decode_devices_per_instance": [6, 7]}                       | [1, 2]    | [6, 7]
            {"prefill_devices": "H100_SXM", "decode_devices": "H100_SXM"} | [1, 2, 4] | [1, 2, 4]
            """, quoteCharacter = '\u0001')
    void fillsInTheSideWithoutSizes(String pairs, String prefill, String decode) {
        JsonPath answer = optimize(
                        RequestEditor.with(RequestEditor.with(ROOFLINE, "/pd_ratio", pairs), "/mode", "\"pd_ratio\""))
                .extract()
                .jsonPath();

        assertThat(answer.getString("request.pd_ratio.prefill_devices_per_instance"))
                .isEqualTo(prefill);
        assertThat(answer.getString("request.pd_ratio.decode_devices_per_instance"))
                .isEqualTo(decode);
    }

    @Test
    void leavesOutSizesWhereAllWouldBeTooMany() {
        String open = QWEN.replaceAll("\"pd_ratio\": \\{[^}]*},", "");

        optimize(open.replace("\"num_devices\": 8", "\"num_devices\": 256"))
                .body(RATIO + "best", notNullValue())
                .body("request.pd_ratio.prefill_devices_per_instance", equalTo(1));
    }

    @Test
    void leavesOutSizesWithoutALayout() {
        String request = RequestEditor.with(
                RequestEditor.with(ROOFLINE, "/mode", "\"pd_ratio\""), "/search", "{\"tp_sizes\": [2, 4]}");

        optimize(request).body("request.pd_ratio.prefill_devices_per_instance", equalTo(4));
    }
}
