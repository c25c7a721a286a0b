package io.throughputoptimizer.web.frozen;

import io.throughputoptimizer.fixture.RequestEditor;
import java.util.List;
import java.util.stream.Stream;

/// Requests that break a rule each: of members that do not go together, of what the catalogue knows, of layouts, and
/// of what was measured. Rules of single members are the schema's.
final class RefusedQuestions {
    private static final String ANALYTIC = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "num_devices": 4,
             "search": {"batch_range": [8]},
             "workload": {"input_length": 1000, "output_length": 100}, "slo": {"ttft_ms": 2000, "tpot_ms": 50}}""";
    private static final String DOCUMENTED = with(ANALYTIC, "/accounting", "\"documented\"");
    private static final String PHASES = with(ANALYTIC, "/mode", "\"disaggregation\"");
    private static final String PAIRS = with(ANALYTIC, "/mode", "\"pd_ratio\"", "/pd_ratio", """
            {"prefill_devices_per_instance": [1, 2], "decode_devices_per_instance": 2}""");
    private static final String CAPACITY =
            with(ANALYTIC, "/mode", "\"capacity\"", "/demand", "{\"requests_per_s\": 1.5}");
    private static final String MEASURED = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "num_devices": 2,
             "workload": {"input_length": 1000, "output_length": 100}, "search": {"batch_range": [8]},
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"}, "slo": {"ttft_ms": 2000}}""";
    private static final String RATIO = with(MEASURED, "/mode", "\"pd_ratio\"", "/pd_ratio", """
            {"prefill_devices_per_instance": 1, "decode_devices_per_instance": 1}""");
    private static final String PERCENTILES = with(MEASURED, "/percentiles", "true");
    private static final String MEASURED_CAPACITY =
            with(MEASURED, "/mode", "\"capacity\"", "/demand", "{\"concurrency\": 20}");
    private static final String PASS = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "device": "TEST_DEVICE", "num_devices": 2,
             "pass": {"phase": "prefill", "concurrency": 2, "query_len": 500, "seq_len": 500}}""";
    private static final String MEASURED_PASS = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-8B", "device": "H100_SXM", "parallel": {"tp": 2},
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
             "pass": {"phase": "decode", "concurrency": 2, "query_len": 1, "seq_len": 500}}""";
    private static final String SIMULATION = """
            {"model_id": "Qwen/Qwen3-8B", "device": "H100_SXM", "parallel": {"tp": 2}, "engine": {"backend": "vllm"},
             "quantization": {"scheme": "FP8"}, "workload": {"input_length": 500, "output_length": 50},
             "traffic": {"concurrency": 4, "waves": 2}}""";
    private static final String BINS = "{\"bins\": [{\"min_tokens\": 1, \"max_tokens\": 90, \"weight\": 1},"
            + " {\"min_tokens\": 91, \"max_tokens\": 300, \"weight\": 2}]}";
    private static final String OBJECTIVE = "{\"name\": \"%s\", \"min_concurrency\": 2}";

    private RefusedQuestions() {}

    static List<Question> all() {
        return Stream.of(
                        searches(analyticRules()),
                        searches(measuredRules()),
                        searches(simulatedRules()),
                        searches(capacityRules()),
                        searches(objectiveRules()),
                        searches(pairingRules()),
                        searches(layoutRules()),
                        passes().map(Question::estimate),
                        simulations().map(Question::simulation),
                        Stream.of(
                                Question.trace("?bins=0", "text/csv", "5,6\n"),
                                Question.trace("?binning=height", "text/csv", "5,6\n"),
                                Question.trace("", "text/csv", "5,6\n7\n"),
                                Question.trace("", "application/x-ndjson", "{\"input_tokens\": 5}\n")))
                .flatMap(question -> question)
                .toList();
    }

    private static Stream<Question> searches(Stream<String> bodies) {
        return bodies.map(body -> Question.search(body, View.REPORTS));
    }

    /// Of cost model `analytic`, which takes nothing that was measured.
    private static Stream<String> analyticRules() {
        return Stream.of(
                with(ANALYTIC, "/engine/backend", "\"vllm\"", "/band_coverage", "0.5", "/percentiles", "true"),
                with(ANALYTIC, "/traffic/waves", "3", "/search/dp_sizes", "[1]", "/slo/percentile", "90"),
                with(ANALYTIC, "/quantization/scheme", "\"FP8\"", "/slo/ttft_basis", "\"settled\""),
                with(ANALYTIC, "/model_id", "null"),
                with(DOCUMENTED, "/workload", "{\"length_distribution\": " + BINS + ", \"output_length\": 9}"),
                with(DOCUMENTED, "/workload/output_distribution", BINS),
                with(DOCUMENTED, "/workload", "{\"input_length\": 9, \"output_distribution\": " + BINS + "}"),
                with(PHASES, "/slo", "{}"),
                with(PHASES, "/workload", "{\"length_distribution\": " + BINS + ", \"output_length\": 9}"),
                with(PHASES, "/pd_ratio", "{\"prefill_devices_per_instance\": 1}"),
                with(ANALYTIC, "/mode", "\"pd_ratio\"", "/pd_ratio", "[]"));
    }

    private static Stream<String> measuredRules() {
        return Stream.of(
                with(MEASURED, "/engine", "null", "/quantization", "{\"linear\": \"FP8\"}"),
                with(MEASURED, "/accounting", "\"documented\"", "/dump_original_results", "true"),
                with(MEASURED, "/mode", "\"disaggregation\"", "/band_coverage", "0.7"),
                with(MEASURED, "/quantization/linear", "\"FP8\"", "/quantization/attention", "\"INT8\""),
                with(MEASURED, "/quantization/checkpoint", "true", "/quantization/mxfp4_group_size", "16"),
                with(MEASURED, "/quantization/non_expert_linear", "\"FP8\"", "/serving/compile", "true"),
                with(MEASURED, "/workload/image", "{\"height\": 9, \"width\": 9}", "/search/dcp_sizes", "[1]"),
                with(
                        MEASURED,
                        "/workload",
                        "{\"length_distribution\": " + BINS + ", \"output_length\": 9}",
                        "/traffic",
                        "{\"random_range_ratio\": 0.5}"),
                with(
                        MEASURED,
                        "/workload",
                        "{\"input_length\": 9, \"output_distribution\": " + BINS + "}",
                        "/traffic",
                        "{\"random_range_ratio\": 0.5}"),
                with(MEASURED, "/search/moe_dp_sizes", "[1]", "/search/max_batched_tokens", "512"),
                with(MEASURED, "/search/strategy", "\"binary\"", "/search/tp_sizes", "[1, 4]"),
                with(MEASURED, "/engine/backend", "\"vllm-ascend\""),
                with(MEASURED, "/engine/backend", "{\"L40S\": \"vllm\"}"),
                with(MEASURED, "/engine/backend", "\"vlm\""),
                with(MEASURED, "/quantization/scheme", "\"NVFP4\""),
                with(MEASURED, "/quantization/scheme", "\"W8A8\""),
                with(MEASURED, "/devices", "[\"TEST_DEVICE\"]"),
                with(MEASURED, "/devices", "[\"ATLAS_800_A2_376T_64G\"]", "/engine/backend", "\"vllm-ascend\""),
                with(MEASURED, "/model_id", "\"deepseek-ai/DeepSeek-V4-Flash\"", "/engine/kv_cache_dtype", "\"bf16\""),
                with(MEASURED, "/model_id", "\"Qwen/Qwen3.5-27B\"", "/workload/prefix_cache_hit_rate", "0.5"),
                with(MEASURED, "/workload/input_length", "50000"),
                with(MEASURED, "/pd_ratio", "{\"prefill_devices_per_instance\": 1}"),
                with(MEASURED, "/mode", "\"pd_ratio\"", "/pd_ratio", "[]"));
    }

    private static Stream<String> simulatedRules() {
        return Stream.of(
                with(MEASURED, "/traffic", "{\"request_rate\": 2, \"think_ms\": 5}"),
                with(MEASURED, "/traffic", "{\"seed\": 2, \"requests\": 400}"),
                with(PERCENTILES, "/traffic", "{\"request_rate\": 2, \"think_ms\": 5}"),
                with(PERCENTILES, "/slo", "{\"percentile\": 90}"),
                with(PERCENTILES, "/workload/prefix_cache_hit_rate", "0.5", "/engine/poll_interval", "2"),
                with(PERCENTILES, "/traffic", "{\"waves\": 90000}"),
                with(PERCENTILES, "/traffic", "{\"waves\": 1}", "/slo/ttft_basis", "\"settled\""),
                with(RATIO, "/percentiles", "true", "/slo/percentile", "90"));
    }

    private static Stream<String> capacityRules() {
        return Stream.of(
                with(CAPACITY, "/demand", "null"),
                with(CAPACITY, "/demand", "{\"concurrency\": 2, \"tokens_per_s\": 3}"),
                with(
                        CAPACITY,
                        "/pd_ratio",
                        "{\"prefill_devices_per_instance\": 1, \"decode_devices_per_instance\": 1}"),
                with(CAPACITY, "/objective", OBJECTIVE.formatted("tokens_per_s_per_user"), "/explain", "true"),
                with(CAPACITY, "/dump_original_results", "true", "/percentiles", "true"),
                with(
                        CAPACITY,
                        "/workload",
                        "{\"length_distribution\": " + BINS + ", \"output_length\": 9}",
                        "/accounting",
                        "\"documented\""),
                with(CAPACITY, "/instance_sizes", "[8]"),
                with(CAPACITY, "/instance_sizes", "[2, 3]", "/search/tp_sizes", "[5]"),
                with(ANALYTIC, "/demand", "{\"concurrency\": 2}", "/headroom", "0.5"),
                with(ANALYTIC, "/instance_sizes", "[2]", "/kv_transfer", "{\"gb_per_s\": 5}"),
                with(PAIRS, "/kv_transfer", "{\"gb_per_s\": 5}"),
                with(MEASURED_CAPACITY, "/slo/percentile", "90"),
                with(MEASURED_CAPACITY, "/instance_sizes", "[64]"));
    }

    private static Stream<String> objectiveRules() {
        return Stream.of(
                with(ANALYTIC, "/objective", OBJECTIVE.formatted("tokens_per_s")),
                with(ANALYTIC, "/objective", "\"cost_per_million_tokens\""),
                with(ANALYTIC, "/objective", "{\"name\": \"tokens_per_s\", \"currency\": \"EUR\"}"),
                with(ANALYTIC, "/objective", """
                        {"name": "cost_per_million_tokens", "price_per_device_hour": {"H100_SXM": 2}}"""),
                with(ANALYTIC, "/objective", """
                        {"name": "cost_per_million_tokens", "price_per_device_hour": 0}"""),
                with(PHASES, "/objective", "\"tokens_per_s_per_user\""));
    }

    private static Stream<String> pairingRules() {
        return Stream.of(
                with(PAIRS, "/pd_ratio/decode_devices_per_instance", "8"),
                with(PAIRS, "/pd_ratio/decode_devices_per_instance", "4"),
                with(PAIRS, "/pd_ratio/prefill_devices", "\"H100_SXM\""),
                with(
                        PAIRS,
                        "/devices",
                        "[\"TEST_DEVICE\", \"L40S\"]",
                        "/pd_ratio/prefill_devices",
                        "\"L40S\"",
                        "/pd_ratio/decode_devices",
                        "\"L40S\""),
                with(PAIRS, "/search/tp_sizes", "[4]"),
                with(PAIRS, "/num_devices", "{\"TEST_DEVICE\": 2}"),
                with(RATIO, "/pd_ratio/decode_devices_per_instance", "2"),
                with(RATIO, "/pd_ratio/decode_devices_per_instance", "[1, 2]"),
                with(
                        RATIO,
                        "/devices",
                        "[\"H100_SXM\", \"H200_SXM\"]",
                        "/engine/backend",
                        "{\"H100_SXM\": \"vllm\", \"H200_SXM\": \"sglang\"}",
                        "/pd_ratio/prefill_devices",
                        "\"H100_SXM\"",
                        "/pd_ratio/decode_devices",
                        "\"H200_SXM\""),
                with(RATIO, "/search/tp_sizes", "[2]"));
    }

    private static Stream<String> layoutRules() {
        return Stream.of(
                with(ANALYTIC, "/search/tp_sizes", "[3]"),
                with(ANALYTIC, "/search/tp_sizes", "[8]"),
                with(ANALYTIC, "/num_devices", "4096"),
                with(ANALYTIC, "/num_devices", "{}"),
                with(ANALYTIC, "/devices", "[\"H100\"]"),
                with(ANALYTIC, "/model_id", "\"Qwen/Qwen3-9B\""),
                with(ANALYTIC, "/model_id", "\"openai/gpt-oss-120b\""),
                with(ANALYTIC, "/model_id", "\"MiniMaxAI/MiniMax-M3\"", "/quantization/linear", "\"MXFP4\""),
                with(ANALYTIC, "/model_id", "\"deepseek-ai/DeepSeek-V3\""),
                with(ANALYTIC, "/model_id", "\"MiniMaxAI/MiniMax-M2\"", "/search/dcp_sizes", "[2]"),
                with(ANALYTIC, "/search/dcp_sizes", "[16]"),
                with(ANALYTIC, "/serving", "{\"num_mtp_tokens\": [0, 2]}"),
                with(ANALYTIC, "/serving", "{\"shared_expert_tp\": true}"),
                with(ANALYTIC, "/quantization", "{\"non_expert_linear\": \"FP8\"}"),
                with(ANALYTIC, "/quantization", "{\"checkpoint\": true}"),
                with(
                        ANALYTIC,
                        "/model_id",
                        "\"moonshotai/Kimi-K2.5\"",
                        "/quantization",
                        "{\"checkpoint\": true, \"linear\": \"FP8\"}"),
                with(ANALYTIC, "/workload/input_length", "50000"),
                with(ANALYTIC, "/search/batch_range", "[9, 8]"),
                with(ANALYTIC, "/accounting", "\"corrected\""),
                with(ANALYTIC, "/model_config", "{\"model_type\": \"mamba\"}"));
    }

    private static Stream<String> passes() {
        return Stream.of(
                with(PASS, "/engine/backend", "\"vllm\"", "/parallel/dp", "1", "/band_coverage", "0.5"),
                with(PASS, "/quantization/linear", "[\"FP8\", \"DISABLED\"]"),
                with(PASS, "/pass/seq_len", "400"),
                with(PASS, "/pass/context_length", "400"),
                with(PASS, "/pass/requests", "[{\"count\": 1, \"query_len\": 2, \"seq_len\": 2}]"),
                with(PASS, "/parallel/tp", "3"),
                with(PASS, "/parallel/dcp", "4"),
                with(PASS, "/num_mtp_tokens", "1"),
                with(MEASURED_PASS, "/compile", "true", "/num_mtp_tokens", "1", "/reserved_memory_gb", "2"),
                with(MEASURED_PASS, "/num_devices", "3", "/pass/query_len", "2", "/shared_expert_tp", "true"),
                with(MEASURED_PASS, "/parallel", "{\"tp\": 1, \"dp\": 3, \"moe_dp\": 2, \"dcp\": 2}"),
                with(MEASURED_PASS, "/quantization", "{\"scheme\": \"FP8\", \"linear\": \"FP8\"}", "/engine", "null"),
                with(MEASURED_PASS, "/engine/backend", "{\"H100_SXM\": \"vllm\"}"),
                with(MEASURED_PASS, "/parallel/tp", "3"),
                with(MEASURED_PASS, "/device", "\"TEST_DEVICE\""));
    }

    private static Stream<String> simulations() {
        return Stream.of(
                with(SIMULATION, "/cost_model", "\"analytic\""),
                with(SIMULATION, "/traffic", "{\"concurrency\": 4, \"request_rate\": 2}"),
                with(SIMULATION, "/traffic", "{\"request_rate\": 2, \"waves\": 3}"),
                with(SIMULATION, "/traffic", "{\"concurrency\": 4, \"seed\": 3}"),
                with(SIMULATION, "/traffic", "{\"request_rate\": 5000}"),
                with(SIMULATION, "/num_devices", "3"),
                with(SIMULATION, "/num_devices", "4", "/traffic/concurrency", "5"),
                with(SIMULATION, "/engine/poll_interval", "2", "/workload/prefix_cache_hit_rate", "0.5"),
                with(
                        SIMULATION,
                        "/workload",
                        "{\"length_distribution\": " + BINS + ", \"output_distribution\": " + BINS + "}",
                        "/traffic/random_range_ratio",
                        "0.5"),
                with(SIMULATION, "/engine/kv_tokens", "50"),
                with(SIMULATION, "/quantization", "{\"checkpoint\": true}"),
                with(SIMULATION, "/workload/input_length", "50000"));
    }

    /// The request with other values at these pointers.
    private static String with(String request, String... pointersAndValues) {
        String edited = request;
        for (int i = 0; i < pointersAndValues.length; i += 2) {
            edited = RequestEditor.with(edited, pointersAndValues[i], pointersAndValues[i + 1]);
        }
        return edited;
    }
}
