package io.throughputoptimizer.dashboard;

/// Requests that several tests send.
final class Questions {
    private static final String QWEN_32B = """
            "model_id": "Qwen/Qwen3-32B", "devices": ["TEST_DEVICE"], "num_devices": 8, "serving": {"compile": true}""";

    private static final String BEYOND = ", \"allow_beyond_context\": true";

    static final String PREFILL = disaggregated("\"input_length\": 3500", "\"ttft_ms\": 2000", "");
    static final String PREFILL_HALF_CACHED =
            disaggregated("\"input_length\": 3500, \"prefix_cache_hit_rate\": 0.5", "\"ttft_ms\": 2000", "");
    static final String DECODE = disaggregated("\"input_length\": 3500", "\"tpot_ms\": 50", "");
    static final String MIXED_PREFILL =
            disaggregated("\"length_distribution\": {\"name\": \"builtin\"}", "\"ttft_ms\": 4000", BEYOND);
    static final String TOO_SMALL_A_BATCH = """
            {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "num_devices": 1, "mode": "disaggregation",
             "workload": {"length_distribution": {"bins": [
                 {"min_tokens": 0, "max_tokens": 500, "weight": 7}, {"min_tokens": 500, "max_tokens": 1500, "weight": 1}]}, "output_length": 100},
             "slo": {"ttft_ms": 20000}, "search": {"batch_range": [1, 1]}}""";
    static final String INFEASIBLE = disaggregated("\"input_length\": 3500", "\"tpot_ms\": 5", "");
    static final String THREE_DEVICES = DECODE.replace(
            "[\"TEST_DEVICE\"]", "[\"TEST_DEVICE\", \"ATLAS_800_A2_280T_64G\", \"ATLAS_800_A3_560T_128G_DIE\"]");

    static final String AGGREGATED = aggregated("\"tpot_ms\": 50", "");
    static final String AGGREGATED_WITHIN_LIMITS = aggregated("\"ttft_ms\": 2000, \"tpot_ms\": 50", "");
    static final String PD_RATIO = """
            {"model_id": "Qwen/Qwen3-32B", "devices": ["TEST_DEVICE"], "num_devices": 64, "serving": {"compile": true}, "mode": "pd_ratio",
            "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
            "pd_ratio": {"prefill_devices_per_instance": 8, "decode_devices_per_instance": 8}}""";

    static final String SHORT_RANGE = aggregated("\"tpot_ms\": 50", "\"batch_range\": [1, 64], \"tp_sizes\": [8]");

    static final String SILICON = silicon("H100_SXM", "vllm", "FP8");
    static final String PERCENTILE_SILICON = SILICON.replace("\"tpot_ms\"", "\"percentile\": 95, \"tpot_ms\"");
    static final String ASCEND_SILICON = silicon("ATLAS_800_A2_376T_64G", "vllm-ascend", "W8A8");
    static final String EXPERTS_SILICON = """
            {"cost_model": "calibrated", "model_id": "deepseek-ai/DeepSeek-R1", "devices": ["H200_SXM", "B200_SXM"], "num_devices": 8,
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 1000, "ttft_basis": "settled", "tpot_ms": 50},
             "engine": {"backend": "sglang"}, "quantization": {"scheme": "FP8_BLOCK"}}""";

    static final String PAIRS_SILICON = """
            {"cost_model": "calibrated", "mode": "pd_ratio", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 16,
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
             "pd_ratio": {"prefill_devices_per_instance": 2, "decode_devices_per_instance": 4},
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"}, "search": {"tp_sizes": [2, 4]}}""";

    private Questions() {}

    /// The same question about a device that can be bought.
    static String onH100(String question) {
        return question.replace("[\"TEST_DEVICE\"]", "[\"H100_SXM\"]");
    }

    private static String aggregated(String limit, String search) {
        return """
                {%s, "mode": "aggregation", "workload": {"input_length": 3500, "output_length": 1500}, "slo": {%s},
                "search": {%s}}""".formatted(QWEN_32B, limit, search);
    }

    private static String silicon(String device, String backend, String scheme) {
        return """
                {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["%s"], "num_devices": 8,
                 "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
                 "engine": {"backend": "%s"}, "quantization": {"scheme": "%s"}}""".formatted(device, backend, scheme);
    }

    private static String disaggregated(String lengths, String limit, String more) {
        return """
                {%s, "mode": "disaggregation", "workload": {%s, "output_length": 1500}, "slo": {%s}%s}""".formatted(QWEN_32B, lengths, limit, more);
    }
}
